// Countdown of seconds until a request may be sent again. There is one at a time.

let timer = 0;

export function stopCountdown() {
  clearInterval(timer);
}

/** Calls `show` with the seconds that are left, once a second, and then `finish`. */
export function everySecond(seconds, show, finish) {
  const until = Date.now() + seconds * 1000;
  stopCountdown();
  timer = setInterval(() => {
    const left = Math.ceil((until - Date.now()) / 1000);
    if (left > 0) return show(left);
    stopCountdown();
    finish();
  }, 1000);
}
