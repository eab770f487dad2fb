// A button that steps through moves.

import { html } from "../html.js";

/**
 * A button stays focusable while it is off, so that the focus does not jump away at the end. A `wide` one shows its
 * name too, where there is room.
 *
 * @param {{name: string, keys?: string, path: string, off: boolean, press: () => void, wide?: boolean}} props
 */
export function Step({ name, keys = "", path, off, press, wide = false }) {
  return html`<button
    type="button"
    class=${wide ? "step wide" : "step"}
    aria-label=${name}
    title=${keys ? `${name} (${keys})` : name}
    aria-disabled=${off ? "true" : undefined}
    onClick=${() => {
      if (!off) press();
    }}
  >
    <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true" focusable="false">
      <path d=${path} />
    </svg>
    ${wide && html`<span aria-hidden="true">${name}</span>`}
  </button>`;
}
