// Draw the number of games that wait for the player on the icon of the page.

import { effect } from "@preact/signals";

/**
 * Begin.
 * @param {import("./app.js").App} app
 * @param {Document} document
 */
export function badgeIcon(app, document) {
  const link = /** @type {HTMLLinkElement | null} */ (document.querySelector('link[rel="icon"]'));
  if (link === null) return;
  const plain = link.href;
  /** @type {Promise<string> | null} */
  let drawing = null;
  let shown = 0;
  effect(() => {
    const count = app.waiting.length;
    if (count === shown) return;
    shown = count;
    if (count === 0) link.href = plain;
    else {
      drawing ??= fetch(plain).then((answer) => answer.text());
      drawing.then((svg) => shown === count && (link.href = badged(svg, count)), () => (drawing = null));
    }
  });
}

/**
 * Return the address of an icon of 64 x 64 with a number on it.
 * @param {string} svg
 * @param {number} count
 */
export function badged(svg, count) {
  const text = count > 9 ? "9+" : String(count);
  const mark = `<circle cx="44" cy="44" r="20" fill="#d92d20"/><text x="44" y="54" font-size="28" font-weight="700" text-anchor="middle" fill="#ffffff">${text}</text>`;
  return `data:image/svg+xml,${encodeURIComponent(svg.replace("</svg>", `${mark}</svg>`))}`;
}
