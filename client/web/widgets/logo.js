// Show the logo, which is also the icon of the app: one stroke captures two boxes.
//
// Props: size (in px, 30).

import { html } from "../html.js";

const ADDRESS = new URL("../icons/icon.svg", import.meta.url).href;

/** @param {{size?: number}} props */
export function Logo({ size = 30 }) {
  return html`<img class="logo" src=${ADDRESS} width=${size} height=${size} alt="" />`;
}
