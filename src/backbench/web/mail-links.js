// Pages of the links in emails. Opening a page changes nothing, because email scanners open links too:
// the request is sent when the button is pressed.

const TEXTS = {
  en: {
    verify: {
      title: "Choose a password",
      intro: "At least eight characters. The button also confirms your address.",
      password: "Password",
      confirm: "Confirm and sign in",
    },
    reset: {
      title: "A new password",
      intro: "At least eight characters.",
      confirm: "Save the password",
      done: "Saved. You can now sign in with the new password.",
      keys: "Active API keys of this account: {count}.",
      endKeys: "Revoke all API keys. Programs that use them will lose access to this account.",
    },
    join: {
      title: "Join the workshop",
      intro: "",
      invited: "{inviter} invites you to {workshop}.",
      newHere: "Your name, and a password of at least eight characters:",
      confirm: "Join the workshop",
      member: "I have an account already",
    },
    email: "Email",
    name: "Name",
    password: "New password",
    currentPassword: "Password",
    terms: "I accept the terms of this service",
    termsMissing: "The terms have to be accepted first.",
    readTerms: "read them",
    privacy: "How your data is handled",
    signIn: "Sign in and join",
    continueLink: "Go to Backbench",
    hasAccount: "There is an account for this address already. Sign in to join.",
    wrongPassword: "Wrong email or password.",
    invalidToken: "This link has already been used or has expired. Ask for a new one.",
    anotherAccount: "This invitation is for a different email address from the one you are signed in with.",
    sessionEnded: "You are no longer signed in here.",
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
      title: "Ustaw hasło",
      intro: "Co najmniej osiem znaków. Przycisk potwierdza też Twój adres.",
      password: "Hasło",
      confirm: "Potwierdź i zaloguj się",
    },
    reset: {
      title: "Nowe hasło",
      intro: "Co najmniej osiem znaków.",
      confirm: "Zapisz hasło",
      done: "Zapisane. Możesz się już zalogować nowym hasłem.",
      keys: "Aktywne klucze API tego konta: {count}.",
      endKeys: "Unieważnij wszystkie klucze API. Programy, które ich używają, stracą dostęp do konta.",
    },
    join: {
      title: "Dołącz do warsztatu",
      intro: "",
      invited: "{inviter} zaprasza Cię do warsztatu {workshop}.",
      newHere: "Podaj imię i nazwisko oraz hasło (co najmniej osiem znaków):",
      confirm: "Dołącz do warsztatu",
      member: "Mam już konto",
    },
    email: "E-mail",
    name: "Imię i nazwisko",
    password: "Nowe hasło",
    currentPassword: "Hasło",
    terms: "Akceptuję regulamin tego serwisu",
    termsMissing: "Najpierw trzeba zaakceptować regulamin.",
    readTerms: "przeczytaj",
    privacy: "Co dzieje się z Twoimi danymi",
    signIn: "Zaloguj się i dołącz",
    continueLink: "Przejdź do Backbench",
    hasAccount: "Na ten adres jest już konto. Zaloguj się, żeby dołączyć.",
    wrongPassword: "Nieprawidłowy e-mail lub hasło.",
    invalidToken: "Ten link został już użyty albo wygasł. Poproś o nowy.",
    anotherAccount: "To zaproszenie jest na inny adres e-mail niż adres zalogowanej tu osoby.",
    sessionEnded: "Nikt nie jest tu już zalogowany.",
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
const signInForm = document.getElementById("sign-in");
const member = document.getElementById("member");

document.documentElement.lang = lang;
document.title = `${texts.title} · Backbench`;
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
  if (response.status === 403) return showOutcome(page === "join" ? texts.signUpClosed : texts.serverError);
  if (response.status !== 400) return showOutcome(texts.serverError);
  const problem = await response.json();
  if (problem.errors.some((error) => error.pointer === "/token")) return showOutcome(texts.invalidToken);
  const messages = problem.errors.map(({ pointer }) => [pointer.slice(1), texts.invalidFields[pointer] || texts.invalidForm]);
  showOutcome(showAtFields(Object.fromEntries(messages)));
}

/** Shows each message at its field and turns to the first one. Returns the messages that have no field here. */
function showAtFields(messages) {
  for (const old of confirmForm.querySelectorAll(".error")) old.remove();
  for (const control of confirmForm.querySelectorAll("[aria-invalid]")) control.removeAttribute("aria-invalid");
  const left = Object.entries(messages).filter(([name, text]) => {
    const control = confirmForm.elements[name];
    if (!control) return true;
    const error = document.createElement("span");
    Object.assign(error, { className: "error", id: `${name}-error`, textContent: text });
    control.setAttribute("aria-invalid", "true");
    control.setAttribute("aria-describedby", error.id);
    control.closest("label").append(error);
    return false;
  });
  confirmForm.querySelector("[aria-invalid]")?.focus();
  return [...new Set(left.map(([, text]) => text))].join(" ");
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
  // The token is used; remove it from the address bar and the history.
  history.replaceState(null, "", location.pathname + location.search);
}

// What is wrong with the form before it is sent: all of it at once.
function missing({ name, password, acceptTerms }) {
  return {
    ...(name && !name.value.trim() ? { name: texts.invalidFields["/name"] } : {}),
    ...(password && password.value.length < 8 ? { password: texts.invalidFields["/password"] } : {}),
    ...(acceptTerms && !acceptTerms.checked && !acceptTerms.closest("label").hidden ? { acceptTerms: texts.termsMissing } : {}),
  };
}

const REQUESTS = {
  verify: (fields) => post("/accounts/verify", { token, password: fields.password.value }),
  reset: ({ password, endApiKeys }) =>
    post("/password-resets/confirm", { token, password: password.value, endApiKeys: endApiKeys.checked }),
  join: ({ name, password }) =>
    post("/invitations/join", { token, name: name.value.trim(), password: password.value, locale: lang, acceptTerms: true }),
};

async function sendConfirmation(fields) {
  const found = missing(fields);
  if (Object.keys(found).length) return showAtFields(found);
  showAtFields({});
  const response = await REQUESTS[page](fields);
  if (page === "join" && response.status === 409) return showSignIn(texts.hasAccount);
  if (!response.ok) return showError(response);
  if (page === "reset") return showDone();
  // Signed in: the workshop is the only one of the new account.
  location.replace("/");
}

/** With the account that is signed in, if that is the invited one. */
async function accept() {
  const response = await post("/invitations/accept", { token });
  if (response.status === 403 || response.status === 401) {
    showWaysToJoin(false);
    confirmForm.elements.name.focus();
    return showOutcome(response.status === 403 ? texts.anotherAccount : texts.sessionEnded);
  }
  if (!response.ok) return showError(response);
  const { id } = await response.json();
  // The app opens the workshop that was chosen last.
  localStorage.setItem("backbench-preference-lastWorkshop", JSON.stringify(id));
  location.replace("/");
}

/** Who invites, and to which workshop. A link that is used or has expired is not asked to be filled in. */
async function showInvitation() {
  const response = await post("/invitations/preview", { token });
  if (!response.ok) {
    hideForm();
    member.hidden = true;
    return showError(response);
  }
  const { workshopName, inviterName, email } = await response.json();
  const intro = document.querySelector("[data-text=intro]");
  intro.textContent = texts.invited.replace("{inviter}", () => inviterName).replace("{workshop}", () => workshopName);
  signInForm.elements.email.value = email;
}

/** One press where somebody may be signed in; else a new account, and the sign-in with another one. */
function showWaysToJoin(isSignedIn) {
  document.querySelector("[data-text=intro]").hidden = false;
  confirmForm.hidden = isSignedIn;
  signInForm.hidden = true;
  member.hidden = false;
  member.className = isSignedIn ? "" : "quiet";
  member.textContent = isSignedIn ? texts.confirm : texts.member;
  member.onclick = () => (isSignedIn ? accept().catch(() => showOutcome(texts.serverError)) : showSignIn(""));
}

function showSignIn(text) {
  showOutcome(text);
  hideForm();
  member.hidden = true;
  signInForm.hidden = false;
  signInForm.elements[signInForm.elements.email.value ? "password" : "email"].focus();
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

/** The host's own pages. Without terms there is nothing to accept. */
function showHostPages() {
  const offered = document.querySelector("meta[name=ways-in]").content.split(" ");
  for (const element of document.querySelectorAll("[data-page-of]")) {
    const name = `${element.dataset.pageOf}=`;
    const address = offered.find((each) => each.startsWith(name))?.slice(name.length);
    (element.closest("label") ?? element).hidden = !address;
    if (address) element.href = address;
  }
}

onSubmit(confirmForm, sendConfirmation);
if (!token) {
  hideForm();
  showOutcome(texts.invalidToken);
}
if (page === "join") {
  showHostPages();
  if (token) {
    // The cookie is no proof: its session may have ended, or be that of somebody else.
    showWaysToJoin(document.cookie.includes("csrf-token="));
    showInvitation().catch(() => showOutcome(texts.serverError));
  }
  onSubmit(signInForm, async (fields) => {
    const response = await post("/authenticate", { email: fields.email.value, password: fields.password.value });
    if (response.ok) return accept();
    if (response.status === 429) return showOutcome(texts.tooManyAttempts);
    showOutcome(texts.wrongPassword);
  });
}
