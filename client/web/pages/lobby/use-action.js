// Run one request at a time for a list of buttons, and show in the strip why one failed.

import { useState } from "preact/hooks";

/**
 * Return the key of the running action (or an empty text), and a function that starts one.
 * @param {import("../../app/app.js").App} app
 * @returns {[string, (key: string, run: () => Promise<unknown>) => Promise<void>]}
 */
export function useAction(app) {
  const [busy, setBusy] = useState("");
  const act = async (/** @type {string} */ key, /** @type {() => Promise<unknown>} */ run) => {
    if (busy) return;
    setBusy(key);
    try {
      await run();
    } catch (error) {
      app.complain(error);
    } finally {
      setBusy("");
    }
  };
  return [busy, act];
}
