// A message inside a page: what happened and what to do next. (Messages of the whole page: app.notify.)
//
// Props: kind ("info" | "good" | "bad"), title, children, actions (elements below the text).

import { html } from "../html.js";

/**
 * @param {{kind?: "info" | "good" | "bad", title?: string,
 *   children?: import("preact").ComponentChildren, actions?: import("preact").ComponentChildren}} props
 */
export function Notice({ kind = "info", title, children, actions }) {
  return html`<div class=${`notice ${kind}`} role=${kind === "bad" ? "alert" : "status"}>
    ${title && html`<p class="notice-title">${title}</p>`}
    <div>${children}</div>
    ${actions && html`<div class="row notice-actions">${actions}</div>`}
  </div>`;
}
