// Say what a clock shows.

import { LOW_MS } from "./room/clock.js";
import { longSpan } from "./room/words.js";

/**
 * Return what a clock shows. Times are rounded up, so 0.0 means that no time is left.
 * @param {number} leftMs
 * @returns {{text: string, low: boolean}}
 */
export function clockFace(leftMs) {
  const left = Math.max(0, leftMs);
  if (left < LOW_MS) {
    const tenths = Math.ceil(left / 100);
    const text = tenths < 100 ? `${Math.floor(tenths / 10)}.${tenths % 10}` : "0:10";
    return { text, low: true };
  }
  const seconds = Math.ceil(left / 1000);
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  return { text: longSpan(seconds * 1000) || `${minutes}:${two(seconds % 60)}`, low: false };
}
