// Check the connection when the browser says that something has changed.

/** @typedef {{check(): void, rest(): void}} Checked */

/**
 * Let `link` check its connection when the network changes, and when the page is shown again after
 * it was hidden or frozen, or after the computer slept. A page that is left rests, because browsers
 * keep no page with a connection for the back button. Return a function that stops this.
 * @param {Checked} link
 * @param {Window} window
 * @returns {() => void}
 */
export function watchWakeups(link, window) {
  const { document } = window;
  const check = () => link.check();
  const shown = () => {
    if (document.visibilityState === "visible") link.check();
  };
  /** @type {[EventTarget, string, () => void][]} */
  const listeners = [
    [window, "online", check],
    [window, "offline", check],
    [window, "pageshow", check],
    [window, "pagehide", () => link.rest()],
    [document, "resume", check],
    [document, "visibilitychange", shown],
  ];
  for (const [target, name, listener] of listeners) target.addEventListener(name, listener);
  return () => {
    for (const [target, name, listener] of listeners) target.removeEventListener(name, listener);
  };
}
