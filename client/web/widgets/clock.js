// The clock of a player, and a hook that renders a component again as time passes.
//
// Clock props: ms (time left; null: no clock), runs, label (such as "Ann's clock").
// useNow(app, everyMs): returns app.now() in seconds, and renders again every `everyMs`; 0 stops that.

import { useEffect, useState } from "preact/hooks";

import { html } from "../html.js";
import { LOW_MS } from "../models/room/clock.js";
import { longSpan } from "../models/room/words.js";

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

/** @param {{ms: number | null, runs: boolean, label?: string}} props */
export function Clock({ ms, runs, label }) {
  if (ms === null) return null;
  const { text, low } = clockFace(ms);
  const kind = ["clock", runs && "runs", low && "low"].filter(Boolean).join(" ");
  return html`<span class=${kind} role="timer" aria-label=${label && `${label}: ${text}`}>
    <span class="numbers">${text}</span>
  </span>`;
}

/**
 * @param {{now: () => number}} app
 * @param {number} everyMs
 * @returns {number}
 */
export function useNow(app, everyMs) {
  const [, again] = useState(0);
  useEffect(() => {
    if (!everyMs) return undefined;
    const timer = setInterval(() => again((count) => count + 1), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return app.now();
}
