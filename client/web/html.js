// Templates of components: html`<p class=${name}>...</p>` builds Preact elements.

import htm from "htm";
import { h } from "preact";

/** @type {(strings: TemplateStringsArray, ...values: unknown[]) => import("preact").VNode} */
export const html = /** @type {any} */ (htm.bind(h));
