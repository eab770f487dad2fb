// Show the logo, which is also the icon of the app: one stroke captures two boxes.
//
// Props: size (in px, 30).

import { address } from "../address.js";
import { html } from "../html.js";

const ADDRESS = address("icons/icon.svg");

/** @param {{size?: number}} props */
export function Logo({ size = 30 }) {
  return html`<img class="logo" src=${ADDRESS} width=${size} height=${size} alt="" />`;
}
