// Camera: reads QR codes where the browser can.

/** @typedef {{ detect: (source: HTMLVideoElement) => Promise<{ rawValue: string }[]> }} Detector */
/** @typedef {{ onStart: () => void, onCode: (text: string) => void, onFailure: () => void }} Watcher */

const EVERY = 200;

/** The interface is in Chromium alone, which has no types here. @returns {(new (options: { formats: string[] }) => Detector) | undefined} */
const detectorOf = () => /** @type {any} */ (globalThis).BarcodeDetector;

/** Whether there is a camera that a page may ask for, and a reader of codes. */
export function canScan() {
  return !!detectorOf() && !!navigator.mediaDevices?.getUserMedia;
}

/** Shows the camera at the back, and tells each code once. Returns what ends it. @param {HTMLVideoElement} video @param {Watcher} watcher */
export function watch(video, { onStart, onCode, onFailure }) {
  const state = { isOver: false, last: "", stream: /** @type {MediaStream | null} */ (null) };
  const stop = () => {
    state.isOver = true;
    state.stream?.getTracks().forEach((track) => track.stop());
  };
  const run = async () => {
    const Detector = detectorOf();
    if (!Detector) return;
    const detector = new Detector({ formats: ["qr_code"] });
    state.stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
    if (state.isOver) return stop();
    video.srcObject = state.stream;
    await video.play();
    onStart();
    while (!state.isOver) {
      const [found] = await detector.detect(video);
      if (found && found.rawValue !== state.last) onCode(state.last = found.rawValue);
      await new Promise((done) => setTimeout(done, EVERY));
    }
  };
  // Refused by the person or the system, taken by another app, or not there: the number can be typed.
  run().catch(() => {
    if (!state.isOver) onFailure();
    stop();
  });
  return stop;
}
