// The face of a level: a box that gains an edge with each step of strength, until it is whole and filled.

import { html } from "../../html.js";
import { LEVELS } from "../../models/lobby/levels.js";

/** The edges of the box, in the order in which they are drawn. */
const EDGES = ["M8 40H40", "M8 8V40", "M40 8V40", "M8 8H40"];
const MOUTHS = ["M19 31q5 4 10 0", "M19 31h10", "M19 32l10-2", "M19 32q5-3 10 0", "M18 32q6-5 12 0"];

/** @param {{level: string}} props */
export function Face({ level }) {
  const strength = LEVELS.findIndex((each) => each === level);
  const whole = strength >= EDGES.length;
  return html`<svg class="face-picture" viewBox="0 0 48 48" aria-hidden="true" focusable="false">
    ${whole && html`<rect class="face-box" x="8" y="8" width="32" height="32" />`}
    <path class="face-free" d=${EDGES.slice(strength + 1).join("")} />
    <path class="face-edge" d=${EDGES.slice(0, strength + 1).join("")} />
    <path class="face-dots" d="M8 8h0M40 8h0M8 40h0M40 40h0" />
    <path class="face-eyes" d="M19 21h0M29 21h0" />
    <path class="face-mouth" d=${MOUTHS[strength] ?? MOUTHS[0]} />
  </svg>`;
}
