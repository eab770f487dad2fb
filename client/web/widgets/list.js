// A list of rows, each with a text and its actions; an empty list says what to do.
//
// List props: label, items, keyOf(item), row(item) -> elements of one row, empty (elements), busy
//   (boolean: not loaded yet), more (sentence below, such as "The newest 200 of 1,350 are listed.").

import { html } from "../html.js";
import { Busy } from "./busy.js";

/**
 * @template T
 * @param {{label: string, items: readonly T[], keyOf: (item: T) => string,
 *   row: (item: T) => import("preact").ComponentChildren,
 *   empty?: import("preact").ComponentChildren, busy?: boolean, more?: string}} props
 */
export function List({ label, items, keyOf, row, empty, busy = false, more = "" }) {
  if (busy) return html`<${Busy} />`;
  if (items.length === 0) return html`<div class="empty">${empty}</div>`;
  return html`<ul class="list" role="list" aria-label=${label}>
      ${items.map((item) => html`<li class="list-row" key=${keyOf(item)}>${row(item)}</li>`)}
    </ul>
    ${more && html`<p class="muted small list-more">${more}</p>`}`;
}
