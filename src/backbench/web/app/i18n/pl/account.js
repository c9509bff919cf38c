/** @type {typeof import("../en/account.js").account} */
export const account = {
  signInTitle: "Logowanie",
  email: "E-mail",
  password: "Hasło",
  wrong: "Adres e-mail albo hasło się nie zgadza.",
  forgotPassword: "Nie pamiętasz hasła?",
  google: "Zaloguj się przez Google",
  createAccount: "Załóż konto",
  language: "Język",
  expiredTitle: "Zaloguj się ponownie",
  later: "Później",
  expired: "Sesja wygasła. Wszystko, co widzisz i co wpisujesz, zostaje na miejscu.",
};
