// A table: its name for screen readers, the titles of its columns, and its rows.

import { html } from "../../html.js";

/**
 * `head`: the titles of the columns, each perhaps with a class; `false` leaves a column out. `kind`: a class of
 * the table. `region`: the name of a table that scrolls in its box.
 * @param {{caption: string, head: readonly (string | [string, string] | false)[], kind?: string, region?: string,
 *   tall?: boolean, children: import("preact").ComponentChildren}} props
 */
export function Table({ caption, head, kind, region, tall, children }) {
  const scrolls = region ? { tabindex: 0, role: "group", "aria-label": region } : {};
  return html`<div class=${tall ? "table-box tall" : "table-box"} ...${scrolls}>
    <table class=${kind ? `table ${kind}` : "table"}>
      <caption class="visually-hidden">${caption}</caption>
      <thead>
        <tr>
          ${head.map((column) => {
            if (!column) return null;
            const [title, look] = typeof column === "string" ? [column] : column;
            return look === "visually-hidden"
              ? html`<th scope="col"><span class=${look}>${title}</span></th>`
              : html`<th scope="col" class=${look}>${title}</th>`;
          })}
        </tr>
      </thead>
      <tbody>
        ${children}
      </tbody>
    </table>
  </div>`;
}

/**
 * The title of a column of numbers.
 * @param {string} title
 * @returns {[string, string]}
 */
export const numbers = (title) => [title, "right"];
