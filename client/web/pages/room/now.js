// Let a small component follow the time, so that the rest of the page need not be drawn again.

import { useEffect, useState } from "preact/hooks";

/** @typedef {import("../../app/app.js").App} App */

/**
 * Return the time in seconds, again every `everyMs` milliseconds while it is not null.
 *
 * @param {App} app
 * @param {number | null} everyMs
 */
export function useNow(app, everyMs) {
  const [, setCount] = useState(0);
  useEffect(() => {
    if (everyMs === null) return undefined;
    const timer = setInterval(() => setCount((count) => count + 1), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return app.now();
}
