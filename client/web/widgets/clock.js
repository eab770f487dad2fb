// The clock of a player, and a hook that renders a component again as time passes.
//
// Clock props: ms (time left; null: no clock), runs, label (such as "Ann's clock").
// useNow(app, everyMs): returns app.now() in seconds, and renders again every `everyMs`; 0 stops that.

import { useEffect, useState } from "preact/hooks";

import { html } from "../html.js";
import { clockFace } from "../models/clock-face.js";

const HOUR_MS = 3_600_000;

/** @param {{ms: number | null, runs: boolean, label?: string}} props */
export function Clock({ ms, runs, label }) {
  if (ms === null) return null;
  const { text, low } = clockFace(ms);
  const kind = ["clock", runs && "runs", low && "low", ms >= HOUR_MS && "long"].filter(Boolean).join(" ");
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
