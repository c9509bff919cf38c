// Pages of the links in emails. Opening a page changes nothing, because email scanners open links too:
// the request is sent when the button is pressed.

const TEXTS = {
  en: {
    verify: {
      intro: "Choose a password of at least eight characters, then press the button to confirm your address.",
      password: "Password",
      confirm: "Confirm and sign in",
      done: "Confirmed. Welcome! Your workshop is ready.",
    },
    reset: {
      intro: "Choose a new password of at least eight characters.",
      confirm: "Save the password",
      done: "Saved. You can now sign in with the new password.",
      keys: "Active API keys of this account: {count}. They are listed in the email with this link.",
      endKeys: "Revoke all API keys. Programs that use them will lose access to this account.",
    },
    join: {
      intro: "You’ve been invited to join a workshop.",
      confirm: "Join the workshop",
      done: "You’ve joined the workshop.",
    },
    email: "Email",
    name: "Name",
    password: "New password",
    currentPassword: "Password",
    terms: "I accept the terms of this service",
    signIn: "Sign in",
    signUp: "Create an account",
    continueLink: "Go to Backbench",
    signedOut: "Sign in with the address that was invited, or create an account for it.",
    emailSent: "Thank you. We’ve just sent you an email: confirm your address, then open this link again.",
    wrongPassword: "Wrong email or password.",
    invalidToken: "This link has already been used or has expired. Ask for a new one.",
    anotherAccount: "This invitation is for a different email address from the one you are signed in with.",
    signUpClosed: "To sign up here, this address needs an invitation.",
    invalidForm: "Please check what you entered.",
    invalidFields: {
      "/password": "Choose a password of at least eight characters that is not easy to guess.",
      "/email": "This is not an email address.",
      "/name": "A name can have letters, digits, spaces and the characters ' . , - &",
    },
    tooManyAttempts: "Too many attempts. Please wait a while.",
    serverError: "Something went wrong. Please try again.",
  },
  pl: {
    verify: {
      intro: "Ustaw hasło (co najmniej osiem znaków) i potwierdź przyciskiem swój adres.",
      password: "Hasło",
      confirm: "Potwierdź i zaloguj się",
      done: "Gotowe. Witamy! Twój warsztat już czeka.",
    },
    reset: {
      intro: "Ustaw nowe hasło (co najmniej osiem znaków).",
      confirm: "Zapisz hasło",
      done: "Zapisane. Możesz się już zalogować nowym hasłem.",
      keys: "Aktywne klucze API tego konta: {count}. Ich lista jest w e-mailu z tym linkiem.",
      endKeys: "Unieważnij wszystkie klucze API. Programy, które ich używają, stracą dostęp do konta.",
    },
    join: {
      intro: "Masz zaproszenie do warsztatu.",
      confirm: "Dołącz do warsztatu",
      done: "Gotowe, należysz już do warsztatu.",
    },
    email: "E-mail",
    name: "Imię i nazwisko",
    password: "Nowe hasło",
    currentPassword: "Hasło",
    terms: "Akceptuję regulamin tego serwisu",
    signIn: "Zaloguj się",
    signUp: "Załóż konto",
    continueLink: "Przejdź do Backbench",
    signedOut: "Zaloguj się adresem, na który przyszło zaproszenie, albo załóż na niego konto.",
    emailSent: "Dziękujemy. Potwierdź adres w wiadomości, którą właśnie wysłaliśmy, i otwórz ten link jeszcze raz.",
    wrongPassword: "Nieprawidłowy e-mail lub hasło.",
    invalidToken: "Ten link został już użyty albo wygasł. Poproś o nowy.",
    anotherAccount: "To zaproszenie wysłano na inny adres e-mail niż adres Twojego konta.",
    signUpClosed: "Aby założyć tu konto, potrzebujesz zaproszenia na ten adres.",
    invalidForm: "Sprawdź wpisane dane.",
    invalidFields: {
      "/password": "Hasło musi mieć co najmniej osiem znaków i być trudne do odgadnięcia.",
      "/email": "To nie jest adres e-mail.",
      "/name": "Imię może zawierać litery, cyfry, spacje i znaki ' . , - &",
    },
    tooManyAttempts: "Zbyt wiele prób. Odczekaj chwilę.",
    serverError: "Coś poszło nie tak. Spróbuj jeszcze raz.",
  },
};

const query = new URLSearchParams(location.search);
const asked = query.get("lang") || navigator.language.slice(0, 2);
// hasOwn, because `in` also finds inherited keys such as "toString".
const lang = Object.hasOwn(TEXTS, asked) ? asked : "en";
const page = document.querySelector("main").dataset.page;
const texts = { ...TEXTS[lang], ...TEXTS[lang][page] };
const token = new URLSearchParams(location.hash.slice(1)).get("token");
const outcome = document.getElementById("outcome");
const confirmForm = document.getElementById("confirm");
const signedOut = document.getElementById("signed-out");

document.documentElement.lang = lang;
for (const element of document.querySelectorAll("[data-text]")) {
  element.textContent = texts[element.dataset.text];
}

// The number of the account's API keys when the email was sent.
const keys = Number.parseInt(query.get("keys"), 10);
for (const element of document.querySelectorAll(".keys")) {
  element.hidden = !(keys > 0);
  if (element.dataset.text) element.textContent = texts.keys.replace("{count}", keys);
}

function showOutcome(text) {
  outcome.textContent = text;
  // On a small screen it may be outside the visible part of the page.
  if (text) outcome.scrollIntoView({ block: "nearest" });
}

async function post(path, body) {
  const csrf = document.cookie.split("; ").find((pair) => pair.startsWith("csrf-token="));
  const headers = { "Content-Type": "application/json" };
  if (csrf) headers["X-CSRF-Token"] = csrf.slice("csrf-token=".length);
  return fetch("/api" + path, { method: "POST", headers, body: JSON.stringify(body) });
}

async function showError(response) {
  if (response.status === 429) return showOutcome(texts.tooManyAttempts);
  if (response.status !== 400) return showOutcome(texts.serverError);
  const problem = await response.json();
  const isTokenInvalid = problem.errors.some((error) => error.pointer === "/token");
  const messages = problem.errors.map((error) => texts.invalidFields[error.pointer] || texts.invalidForm);
  showOutcome(isTokenInvalid ? texts.invalidToken : [...new Set(messages)].join(" "));
}

function hideForm() {
  confirmForm.hidden = true;
  document.querySelector("[data-text=intro]").hidden = true;
}

function showDone() {
  showOutcome(texts.done + " ");
  const link = document.createElement("a");
  link.href = "/";
  link.textContent = texts.continueLink;
  outcome.append(link);
  hideForm();
  if (signedOut) signedOut.hidden = true;
  // The token is used; remove it from the address bar and the history.
  history.replaceState(null, "", location.pathname + location.search);
}

const REQUESTS = {
  verify: () => post("/accounts/verify", { token, password: confirmForm.elements.password.value }),
  reset: () => {
    const { password, endApiKeys } = confirmForm.elements;
    return post("/password-resets/confirm", { token, password: password.value, endApiKeys: endApiKeys.checked });
  },
  join: () => post("/invitations/accept", { token }),
};

async function sendConfirmation() {
  const response = await REQUESTS[page]();
  if (response.ok) return showDone();
  if (page === "join" && response.status === 401) {
    showOutcome(texts.signedOut);
    confirmForm.hidden = true;
    signedOut.hidden = false;
  } else if (page === "join" && response.status === 403) {
    showOutcome(texts.anotherAccount);
  } else {
    await showError(response);
  }
}

function onSubmit(form, send) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = form.querySelector("button");
    button.disabled = true;
    showOutcome("");
    try {
      await send(form.elements);
    } catch {
      showOutcome(texts.serverError);
    }
    button.disabled = false;
  });
}

onSubmit(confirmForm, sendConfirmation);
if (!token) {
  hideForm();
  showOutcome(texts.invalidToken);
}
if (signedOut) {
  onSubmit(document.getElementById("sign-in"), async (fields) => {
    const response = await post("/authenticate", { email: fields.email.value, password: fields.password.value });
    if (response.ok) return sendConfirmation();
    if (response.status === 429) return showOutcome(texts.tooManyAttempts);
    showOutcome(texts.wrongPassword);
  });
  onSubmit(document.getElementById("sign-up"), async (fields) => {
    const response = await post("/accounts", {
      name: fields.name.value,
      email: fields.email.value,
      password: fields.password.value,
      acceptTerms: fields.acceptTerms.checked,
      locale: lang,
    });
    if (response.ok) return showOutcome(texts.emailSent);
    if (response.status === 403) return showOutcome(texts.signUpClosed);
    await showError(response);
  });
}
