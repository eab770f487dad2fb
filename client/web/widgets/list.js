// A list of rows, each with a text and its actions; an empty list says what to do.
//
// List props: label, items, keyOf(item), row(item) -> elements of one row, empty (elements), busy
//   (boolean: not loaded yet), more (sentence below, such as "Only the newest of 1,350 are listed."),
//   most (how many rows are shown before the person asks for all; 30).
// RowAbout props: parts (texts of which some may be empty), shown as one line below the name of a row.

import { useState } from "preact/hooks";

import { html } from "../html.js";
import { tr } from "../texts.js";
import { Busy } from "./busy.js";
import { Button } from "./button.js";

/**
 * @template T
 * @param {{label: string, items: readonly T[], keyOf: (item: T) => string,
 *   row: (item: T) => import("preact").ComponentChildren,
 *   empty?: import("preact").ComponentChildren, busy?: boolean, more?: string,
 *   most?: number}} props
 */
export function List({ label, items, keyOf, row, empty, busy = false, more = "", most = 30 }) {
  const [all, setAll] = useState(false);
  if (busy) return html`<${Busy} />`;
  if (items.length === 0) return html`<div class="empty">${empty}</div>`;
  return html`<ul class="list" role="list" aria-label=${label}>
      ${(all ? items : items.slice(0, most)).map((item) => html`<li class="list-row" key=${keyOf(item)}>${row(item)}</li>`)}
    </ul>
    ${!all &&
    items.length > most &&
    html`<${Button} small wide onPress=${() => setAll(true)}>${tr("Show all {count}", { count: items.length })}<//>`}
    ${more && html`<p key=${more} class="muted small list-more">${more}</p>`}`;
}

/** @param {{parts: readonly (string | false | null | undefined)[]}} props */
export function RowAbout({ parts }) {
  const text = parts.filter(Boolean).join(" · ");
  return text && html`<span key=${text} class="small muted">${text}</span>`;
}
