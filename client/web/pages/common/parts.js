// Small parts that several pages share: titles, dates, names and pages of lists.

import { useEffect } from "preact/hooks";

import { html } from "../../html.js";
import { dateText } from "../../models/time.js";
import { withParams } from "../../net/api.js";
import { tr } from "../../texts.js";
import { LinkButton } from "../../widgets/button.js";
import { playerPath } from "../../widgets/player.js";

/** @typedef {import("../../app/app.js").App} App */

/**
 * Name the browser's tab after the page.
 *
 * @param {App} app
 * @param {string} title
 */
export function useTitle(app, title) {
  useEffect(() => app.setTitle(title), [title]);
}

/**
 * The head of a page: its title, a line about it, and its actions.
 *
 * @param {{title: import("preact").ComponentChildren, about?: import("preact").ComponentChildren,
 *   actions?: import("preact").ComponentChildren}} props
 */
export function PageHead({ title, about, actions }) {
  return html`<header class="page-head">
    <div class="grow">
      <h1>${title}</h1>
      ${about && html`<p class="muted page-about">${about}</p>`}
    </div>
    ${actions && html`<div class="row page-actions">${actions}</div>`}
  </header>`;
}

/**
 * A few figures, large, each above what it is.
 *
 * @param {{facts: readonly {label: string, value: string}[]}} props
 */
export function Tiles({ facts }) {
  return html`<dl class="tiles">
    ${facts.map(({ label, value }) => html`<div key=${label}><dt>${label}</dt><dd class="numbers" translate=${false}>${value}</dd></div>`)}
  </dl>`;
}

/**
 * A date in the language of the page and the visitor's time zone.
 *
 * @param {{ms: number}} props
 */
export function When({ ms }) {
  return html`<time datetime=${new Date(ms).toISOString()}>${dateText(ms)}</time>`;
}

/**
 * The name of a player with a link.
 *
 * @param {{name: string, seat?: number}} props
 */
export function Name({ name, seat }) {
  return html`<a class=${seat === undefined ? "name" : `name seat${seat}`} href=${playerPath(name)}
    >${name}</a>`;
}

/**
 * Links to the newest and to older entries of a list; the children are between them.
 *
 * @param {{path: string, chosen: Record<string, string>, after: string, next: string | null | undefined,
 *   children?: import("preact").ComponentChildren}} props `next`: where the older entries are
 */
export function Pages({ path, chosen, after, next, children }) {
  const older = next && new URLSearchParams(next.split("?")[1]).get("after");
  if (!after && !older) return null;
  const link = (/** @type {string} */ title, /** @type {Record<string, string>} */ place) =>
    html`<${LinkButton} href=${withParams(path, { ...chosen, ...place })}>${title}<//>`;
  return html`<nav class="row apart pages" aria-label=${tr("Pages")}>
    ${after ? link(tr("Newest"), {}) : html`<span></span>`} ${children}
    ${older ? link(tr("Older"), { after: older }) : html`<span></span>`}
  </nav>`;
}
