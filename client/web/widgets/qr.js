// Draw a QR code as one SVG path.
//
// Props: text (what it says), label (accessible name), size (in px, 176).

import { encode } from "uqr";

import { html } from "../html.js";

/** @param {{text: string, label: string, size?: number}} props */
export function Qr({ text, label, size = 176 }) {
  const { data } = encode(text, { border: 2, ecc: "M" });
  const side = data.length;
  const squares = data.flatMap((cells, y) =>
    cells.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return html`<svg
    class="qr"
    role="img"
    aria-label=${label}
    width=${size}
    height=${size}
    viewBox=${`0 0 ${side} ${side}`}
    shape-rendering="crispEdges"
  >
    <rect width=${side} height=${side} fill="#fff" />
    <path d=${squares.join("")} fill="#000" />
  </svg>`;
}
