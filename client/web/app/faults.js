// Tell the person about errors of the page itself, and load a page anew that is older than the server.

import { sentenceOf } from "./app.js";

const RELOADED = "doublecross.reloaded";

/**
 * Show uncaught errors in the strip.
 * @param {import("./app.js").App} app
 * @param {Window} window
 */
export function listenToFaults(app, window) {
  const report = (/** @type {string} */ sentence) =>
    app.notify(sentence, {
      kind: "bad",
      key: "fault",
      rank: 2,
      actions: [{ title: "Reload", run: () => window.location.reload() }],
    });
  window.addEventListener("error", (event) => {
    // The browser also reports images that cannot be loaded here, and errors of extensions.
    if (event.error) report("Something on this page went wrong. Your games are kept on the server.");
  });
  window.addEventListener("unhandledrejection", (event) => {
    const { reason } = event;
    if (reason?.name === "AbortError") return;
    if (reason?.sentence) app.complain(reason);
    else report(sentenceOf(reason));
  });
}

/**
 * Load the page again, because the server has another one now; but only once, so that a cache in
 * between cannot make it load for ever.
 * @param {import("./app.js").App} app
 * @param {string} served - the hash of the server's page
 * @param {Window} window
 */
export function reloadOnce(app, served, window) {
  let tried = true;
  try {
    tried = window.sessionStorage.getItem(RELOADED) === served;
    window.sessionStorage.setItem(RELOADED, served);
  } catch {
    // Without storage nobody can tell whether it has been tried, so leave it to the person.
  }
  if (!tried) {
    window.location.reload();
    return;
  }
  app.notify("This page is older than the server. Reload it when it suits you.", {
    key: "outdated",
    rank: 4,
    actions: [{ title: "Reload", run: () => window.location.reload() }],
  });
}
