// Account name: hidden in a form of passwords, for password managers.

import { input } from "../../../components/tags.js";

/** @param {string} email */
export const accountName = (email) =>
  input({
    type: "email",
    class: "spoken",
    autocomplete: "username",
    value: email,
    readOnly: true,
    tabIndex: -1,
    "aria-hidden": "true",
  });
