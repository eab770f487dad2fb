// Choose one of a few values: segments side by side, or a list to open.
//
// Choice props: label, value, options ([{value, title, hint?}]), onChange(value), hideLabel, wrap
//   (segments may take several rows). It is a group of radio buttons: arrow keys move.
// Select props: label, value, options ([{value, title}]), onChange(value), hideLabel.

import { useId } from "preact/hooks";

import { html } from "../html.js";

/**
 * @typedef {{value: string, title: string, hint?: string}} Option
 * @typedef {{label: string, value: string, options: readonly Option[],
 *   onChange: (value: string) => void, hideLabel?: boolean, name?: string}} ChoiceProps
 */

/** @param {ChoiceProps & {wrap?: boolean}} props */
export function Choice({ label, value, options, onChange, hideLabel, wrap = false }) {
  const id = useId();
  return html`<fieldset class=${wrap ? "choice wrap" : "choice"}>
    <legend class=${hideLabel ? "visually-hidden" : "label"}>${label}</legend>
    <div class="segments">
      ${options.map(
        (option) => html`<label class="segment" key=${option.value} title=${option.hint}>
          <input
            type="radio"
            name=${id}
            value=${option.value}
            checked=${option.value === value}
            onChange=${() => onChange(option.value)}
          />
          <span>${option.title}</span>
        </label>`,
      )}
    </div>
  </fieldset>`;
}

/** @param {ChoiceProps} props */
export function Select({ label, value, options, onChange, hideLabel, name }) {
  const id = useId();
  return html`<div class="field">
    <label for=${id} class=${hideLabel ? "visually-hidden" : "label"}>${label}</label>
    <select
      id=${id}
      class="input"
      name=${name}
      value=${value}
      onChange=${(/** @type {Event} */ event) =>
        onChange(/** @type {HTMLSelectElement} */ (event.currentTarget).value)}
    >
      ${options.map(
        (option) => html`<option key=${option.value} value=${option.value} selected=${option.value === value}>
          ${option.title}
        </option>`,
      )}
    </select>
  </div>`;
}
