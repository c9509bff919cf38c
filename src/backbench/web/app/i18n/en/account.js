/** Words of signing in and of the account. */
export const account = {
  signInTitle: "Sign in",
  email: "Email",
  password: "Password",
  wrong: "Email address or password is wrong.",
  forgotPassword: "Forgot your password?",
  google: "Sign in with Google",
  createAccount: "Create an account",
  language: "Language",
  expiredTitle: "Sign in again",
  later: "Later",
  expired: "Your session has ended. What you see and what you typed is still here.",
};
