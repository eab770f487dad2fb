// Templates of components: html`<p class=${name}>...</p>` builds Preact elements.
// Their links and pictures name paths of the server, wherever it lies.

import htm from "htm";
import { h } from "preact";

import { BASE, outer } from "./address.js";

/**
 * @param {any} type
 * @param {any} props
 * @param {any[]} children
 */
function placed(type, props, ...children) {
  let found = props;
  if (typeof type === "string") {
    for (const name of ["href", "src"]) {
      if (typeof props?.[name] === "string") found = { ...found, [name]: outer(props[name]) };
    }
  }
  return h(type, found, ...children);
}

/** @type {(strings: TemplateStringsArray, ...values: unknown[]) => import("preact").VNode} */
export const html = /** @type {any} */ (htm.bind(BASE ? placed : h));
