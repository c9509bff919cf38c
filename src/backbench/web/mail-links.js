// The pages that links in mails lead to. Opening one changes nothing, since mail scanners open links, too:
// what the link is for happens when somebody presses the button.

const WORDS = {
  en: {
    verify: {
      intro: "One press, and your address is confirmed.",
      press: "Confirm the address",
      done: "Confirmed. Welcome! Your workshop is waiting.",
    },
    reset: {
      intro: "Choose a new password, at least eight characters long.",
      press: "Save the password",
      done: "Saved. You can sign in with the new password now.",
    },
    join: {
      intro: "You have been invited into a workshop.",
      press: "Join the workshop",
      done: "You belong to the workshop now.",
    },
    email: "E-mail",
    name: "Name",
    password: "New password",
    currentPassword: "Password",
    terms: "I accept the terms of this service",
    signIn: "Sign in",
    signUp: "Create an account",
    onward: "Go to Backbench",
    stranger: "First sign in with the address that was invited, or create an account for it.",
    mailed: "Thank you. Confirm your address with the mail that we have just sent, then open this link again.",
    wrong: "E-mail or password is not right.",
    spent: "This link has been used, or has expired. Ask for a new one.",
    another: "This invitation is for another e-mail address than the one you are signed in with.",
    uninvited: "Nobody can sign up with this address here without an invitation.",
    refused: "Please check what you have entered.",
    refusedFields: {
      "/password": "Choose a password of at least eight characters that is not easy to guess.",
      "/email": "This is not an e-mail address.",
      "/name": "A name may hold letters, digits, spaces and the signs ' . , - &",
    },
    patience: "Too many tries. Please wait a while.",
    trouble: "That didn't work just now. Please try again.",
  },
  pl: {
    verify: {
      intro: "Jedno kliknięcie i adres będzie potwierdzony.",
      press: "Potwierdzam adres",
      done: "Gotowe. Witamy! Twoja pracownia już czeka.",
    },
    reset: {
      intro: "Wybierz nowe hasło, co najmniej osiem znaków.",
      press: "Zapisz hasło",
      done: "Zapisane. Możesz się już zalogować nowym hasłem.",
    },
    join: {
      intro: "Masz zaproszenie do pracowni.",
      press: "Dołączam do pracowni",
      done: "Od teraz należysz do pracowni.",
    },
    email: "E-mail",
    name: "Imię i nazwisko",
    password: "Nowe hasło",
    currentPassword: "Hasło",
    terms: "Akceptuję regulamin tego serwisu",
    signIn: "Zaloguj się",
    signUp: "Załóż konto",
    onward: "Przejdź do Backbench",
    stranger: "Najpierw zaloguj się adresem, na który przyszło zaproszenie, albo załóż na niego konto.",
    mailed: "Dziękujemy. Potwierdź adres w wiadomości, którą właśnie wysłaliśmy, i otwórz ten link jeszcze raz.",
    wrong: "E-mail lub hasło się nie zgadza.",
    spent: "Ten link został już użyty albo wygasł. Poproś o nowy.",
    another: "To zaproszenie jest na inny adres e-mail niż ten, którym się logujesz.",
    uninvited: "Z tym adresem nie można tu założyć konta bez zaproszenia.",
    refused: "Sprawdź, proszę, co zostało wpisane.",
    refusedFields: {
      "/password": "Wybierz hasło z co najmniej ośmiu znaków, którego nie da się łatwo odgadnąć.",
      "/email": "To nie jest adres e-mail.",
      "/name": "Imię może zawierać litery, cyfry, spacje i znaki ' . , - &",
    },
    patience: "Za dużo prób. Odczekaj chwilę.",
    trouble: "Teraz się nie udało. Spróbuj jeszcze raz.",
  },
};

const asked = new URLSearchParams(location.search).get("lang") || navigator.language.slice(0, 2);
// Its own key: everything that an object inherits would be "in" it as well.
const lang = Object.hasOwn(WORDS, asked) ? asked : "en";
const page = document.querySelector("main").dataset.page;
const words = { ...WORDS[lang], ...WORDS[lang][page] };
const token = new URLSearchParams(location.hash.slice(1)).get("token");
const outcome = document.getElementById("outcome");
const step = document.getElementById("step");
const stranger = document.getElementById("stranger");

document.documentElement.lang = lang;
for (const element of document.querySelectorAll("[data-words]")) {
  element.textContent = words[element.dataset.words];
}

function tell(text) {
  outcome.textContent = text;
  // On a telephone it may stand above what is in sight.
  if (text) outcome.scrollIntoView({ block: "nearest" });
}

async function post(path, body) {
  const csrf = document.cookie.split("; ").find((pair) => pair.startsWith("csrf-token="));
  const headers = { "Content-Type": "application/json" };
  if (csrf) headers["X-CSRF-Token"] = csrf.slice("csrf-token=".length);
  return fetch("/api" + path, { method: "POST", headers, body: JSON.stringify(body) });
}

async function explain(answer) {
  if (answer.status === 429) return tell(words.patience);
  if (answer.status !== 400) return tell(words.trouble);
  const problem = await answer.json();
  const isSpent = problem.errors.some((fault) => fault.pointer === "/token");
  const told = problem.errors.map((fault) => words.refusedFields[fault.pointer] || words.refused);
  tell(isSpent ? words.spent : [...new Set(told)].join(" "));
}

function leaveNothingToPress() {
  step.hidden = true;
  document.querySelector("[data-words=intro]").hidden = true;
}

function finish() {
  tell(words.done + " ");
  const link = document.createElement("a");
  link.href = "/";
  link.textContent = words.onward;
  outcome.append(link);
  leaveNothingToPress();
  if (stranger) stranger.hidden = true;
  // The secret has done its work; it need not stand in the address bar and the history.
  history.replaceState(null, "", location.pathname + location.search);
}

const STEPS = {
  verify: () => post("/accounts/verify", { token }),
  reset: () => post("/password-resets/confirm", { token, password: step.elements.password.value }),
  join: () => post("/invitations/accept", { token }),
};

async function take() {
  const answer = await STEPS[page]();
  if (answer.ok) return finish();
  if (page === "join" && answer.status === 401) {
    tell(words.stranger);
    step.hidden = true;
    stranger.hidden = false;
  } else if (page === "join" && answer.status === 403) {
    tell(words.another);
  } else {
    await explain(answer);
  }
}

function onPress(form, act) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = form.querySelector("button");
    button.disabled = true;
    tell("");
    try {
      await act(form.elements);
    } catch {
      tell(words.trouble);
    }
    button.disabled = false;
  });
}

onPress(step, take);
if (!token) {
  leaveNothingToPress();
  tell(words.spent);
}
if (stranger) {
  onPress(document.getElementById("sign-in"), async (fields) => {
    const answer = await post("/authenticate", { email: fields.email.value, password: fields.password.value });
    if (answer.ok) return take();
    if (answer.status === 429) return tell(words.patience);
    tell(words.wrong);
  });
  onPress(document.getElementById("sign-up"), async (fields) => {
    const answer = await post("/accounts", {
      name: fields.name.value,
      email: fields.email.value,
      password: fields.password.value,
      acceptTerms: fields.acceptTerms.checked,
      locale: lang,
    });
    if (answer.ok) return tell(words.mailed);
    if (answer.status === 403) return tell(words.uninvited);
    await explain(answer);
  });
}
