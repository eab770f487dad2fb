// Hold the place of a page while it loads, so that nothing jumps when its contents come.
//
// Props: kind ("room" or "lobby": two seats and a board; else cards), children (what is loading).

import { html } from "../html.js";
import { Busy } from "./busy.js";

/** @param {{kind?: string, children?: import("preact").ComponentChildren}} props */
export function Skeleton({ kind = "", children }) {
  const card = html`<div class="skeleton-card"></div>`;
  return html`<div class=${kind === "room" || kind === "lobby" ? "skeleton-body room" : "skeleton-body"}>
    ${card}${card}${card}
    <${Busy}>${children}<//>
  </div>`;
}
