// Show that something takes a moment: nothing at first, then a spinner with a sentence.
//
// Props: children (the sentence), now (boolean: show it without the delay).

import { html } from "../html.js";
import { tr } from "../texts.js";

/** @param {{children?: import("preact").ComponentChildren, now?: boolean}} props */
export function Busy({ children, now = false }) {
  return html`<p class=${now ? "busy" : "busy late"} role="status">
    <span class="spinner" aria-hidden="true"></span> ${children ?? tr("Loading ...")}
  </p>`;
}
