// Let a player's progress follow to other devices; what does that loads after the first page.

/** @typedef {import("./app.js").App} App */

/**
 * Merge with the account whenever a player is known, and when the person comes back to this page.
 * @param {App} app
 * @param {Document} document
 */
export function followProgress(app, document) {
  /** @type {Promise<import("./merging.js").Merging> | null} */
  let merging = null;
  const merge = async () => {
    if (!app.me.peek() || app.identity.token === null) return;
    merging ??= import("./merging.js").then(({ Merging }) => new Merging(app).follow());
    // Without the module the browser keeps everything, and the next visit merges it.
    (await merging.catch(() => (merging = null)))?.run();
  };
  app.me.subscribe(() => void merge());
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && void merge());
}
