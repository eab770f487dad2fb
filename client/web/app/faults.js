// Tell the person about errors of the page itself, and load a page anew that is older than the server.

import { tr } from "../texts.js";
import { sentenceOf } from "./app.js";

const RELOADED = "doublecross.reloaded";
/** How often a page that is to be loaded again looks whether it may, in milliseconds. */
const LOOK_MS = 100;
/** @type {WeakSet<import("./app.js").App>} The pages that are to be loaded again. */
const reloading = new WeakSet();

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
      actions: [{ title: tr("Reload"), run: () => window.location.reload() }],
    });
  window.addEventListener("error", (event) => {
    // The browser also reports images that cannot be loaded here, and errors of extensions.
    if (event.error) report(tr("Something on this page went wrong. Your games are kept on the server."));
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
 * between cannot make it load for ever. Requests without an answer come first, because a new page
 * knows nothing of them, and so does what the person is typing.
 * @param {import("./app.js").App} app
 * @param {string} served - the hash of the server's page
 * @param {Window} window
 */
export function reloadOnce(app, served, window) {
  if (reloading.has(app)) return;
  const { location, document } = window;
  if (triedBefore(window, served)) {
    app.notify(tr("This page is older than the server. Reload it when it suits you."), {
      key: "outdated",
      rank: 4,
      actions: [{ title: tr("Reload"), run: () => location.reload() }],
    });
    return;
  }
  reloading.add(app);
  const look = () => {
    const { link } = app;
    const waits = !link.idle || link.state === "lost" || link.state === "connecting";
    if (waits || typing(document)) window.setTimeout(look, LOOK_MS);
    else location.reload();
  };
  // An answer that has just come may lead to more requests, such as those for a new room.
  window.setTimeout(look, LOOK_MS);
}

/**
 * Note that the page is loaded again for `served`; return whether it was before.
 * @param {Window} window
 * @param {string} served
 */
function triedBefore(window, served) {
  try {
    const tried = window.sessionStorage.getItem(RELOADED) === served;
    window.sessionStorage.setItem(RELOADED, served);
    return tried;
  } catch {
    // Without storage nobody can tell whether it has been tried, so leave it to the person.
    return true;
  }
}

/**
 * Return whether a person fills in a form.
 * @param {Document} document
 */
function typing(document) {
  const field = document.activeElement;
  const fields = "input[type=text]:not([readonly]), input[type=password], input:not([type], [readonly]), textarea";
  const text = field instanceof HTMLElement && field.matches(fields);
  return document.querySelector("dialog[open]") !== null || (text && "value" in field && field.value !== "");
}
