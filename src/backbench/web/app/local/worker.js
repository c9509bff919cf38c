/** @typedef {{ createScriptURL(address: string): string }} Policy */
/** @typedef {{ createPolicy(name: string, rules: Policy): Policy }} PolicyFactory */

/** The only address that a script may be loaded from by its text: browsers with Trusted Types ask for it. */
const workerAddress = () => {
  const { trustedTypes } = /** @type {{ trustedTypes?: PolicyFactory }} */ (globalThis);
  const policy = trustedTypes?.createPolicy("worker", { createScriptURL: () => "/sw.js" });
  return policy ? policy.createScriptURL("") : "/sw.js";
};

/**
 * Calls back with every worker of another version that is installed and waits.
 * @param {ServiceWorkerRegistration} registration
 * @param {(next: ServiceWorker) => void} onUpdate
 */
const watch = (registration, onUpdate) => {
  /** @param {ServiceWorker | null} next */
  const follow = (next) => {
    const report = () => {
      if (next?.state === "installed" && navigator.serviceWorker.controller) onUpdate(next);
    };
    report();
    next?.addEventListener("statechange", report);
  };
  follow(registration.waiting);
  follow(registration.installing);
  registration.addEventListener("updatefound", () => follow(registration.installing));
};

/**
 * Registers the service worker; without one (plain http, private windows) the app runs online. `onUpdate` gets the
 * function that takes the next version: it reloads the page, so call it when nobody is in the middle of something.
 * @param {(takeOver: () => void) => void} onUpdate
 * @returns {Promise<ServiceWorkerRegistration | null>}
 */
export const startWorker = async (onUpdate) => {
  if (!("serviceWorker" in navigator)) return null;
  try {
    // Another page has taken the next version: this one goes on with the files of its own until it does, too.
    const isOld = navigator.serviceWorker.controller !== null;
    const reload = () => isOld && onUpdate(() => location.reload());
    navigator.serviceWorker.addEventListener("controllerchange", reload);
    const registration = await navigator.serviceWorker.register(workerAddress(), { updateViaCache: "none" });
    watch(registration, (next) => onUpdate(() => takeOver(next)));
    return registration;
  } catch (error) {
    // Refused by the browser's settings, or the server cannot be reached and no worker is installed.
    if (error instanceof DOMException || error instanceof TypeError) return null;
    throw error;
  }
};

/** Calls back with the path of a push message that was tapped on, and says so. @param {(path: string) => void} show */
export const onShow = (show) => {
  navigator.serviceWorker?.addEventListener("message", ({ data, ports }) => {
    if (data?.type !== "show") return;
    show(data.path);
    ports[0]?.postMessage("shown");
  });
  // Those that came before the page was complete wait until now.
  navigator.serviceWorker?.startMessages();
};

/** @param {ServiceWorker} next */
const takeOver = (next) => {
  navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
  next.postMessage("take-over");
};
