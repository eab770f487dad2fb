// A labelled text field with a hint and a problem; a labelled switch.
//
// Field props: label, value, onInput(text), problem (sentence or ""), hint, name, type ("text" |
//   "number" | ...), hideLabel, narrow, autofocus, maxlength, and further props for the input (min, max,
//   autocomplete, inputmode, ...). The problem and the hint are announced with the field. A field that is
//   full says so, because the browser drops what is too much without a word.
// Switch props: label, checked, onChange(checked), hint, name.

import { useEffect, useId, useRef } from "preact/hooks";

import { html } from "../html.js";
import { tr } from "../texts.js";

/** The most letters of a player's name, as the protocol has it. */
export const MOST_NAME = 32;
/** The most letters of a tournament's name, and of a reason. */
export const MOST_LABEL = 64;

/**
 * @param {{label: string, value: string, onInput: (text: string) => void, problem?: string,
 *   hint?: string, name?: string, type?: string, hideLabel?: boolean, narrow?: boolean,
 *   autofocus?: boolean, maxlength?: number, [more: string]: unknown}} props
 */
export function Field(props) {
  const { label, value, onInput, problem = "", hideLabel, narrow, ...rest } = props;
  const { type = "text", autofocus, hint: about = "", ...more } = rest;
  const { maxlength: most = Infinity } = more;
  const hint = value.length >= most ? tr("No more than {n} characters fit.", { n: most }) : about;
  const id = useId();
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  useEffect(() => {
    if (!autofocus) return;
    input.current?.focus();
    input.current?.select();
  }, []);
  const described = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(" ");
  return html`<div class=${narrow ? "field narrow" : "field"}>
    <label for=${id} class=${hideLabel ? "visually-hidden" : "label"}>${label}</label>
    <input
      spellcheck=${false}
      autocomplete="off"
      ...${more}
      ref=${input}
      id=${id}
      type=${type}
      class="input"
      value=${value}
      aria-invalid=${problem ? "true" : undefined}
      aria-describedby=${described || undefined}
      onInput=${(/** @type {Event} */ event) =>
        onInput(/** @type {HTMLInputElement} */ (event.currentTarget).value)}
    />
    ${hint && html`<p class="hint" id=${`${id}-hint`}>${hint}</p>`}
    ${problem && html`<p class="problem" id=${`${id}-problem`} role="alert">${problem}</p>`}
  </div>`;
}

/**
 * @param {{label: string, checked: boolean, onChange: (checked: boolean) => void, hint?: string,
 *   name?: string}} props
 */
export function Switch({ label, checked, onChange, hint = "", name }) {
  const id = useId();
  return html`<div class="switch">
    <input
      id=${id}
      type="checkbox"
      role="switch"
      name=${name}
      checked=${checked}
      aria-describedby=${hint ? `${id}-hint` : undefined}
      onChange=${(/** @type {Event} */ event) =>
        onChange(/** @type {HTMLInputElement} */ (event.currentTarget).checked)}
    />
    <label for=${id}>${label}</label>
    ${hint && html`<p class="hint" id=${`${id}-hint`}>${hint}</p>`}
  </div>`;
}

/**
 * A switch of a setting, which it reads and changes.
 * @param {{label: string, setting: import("@preact/signals").Signal<boolean>, hint?: string}} props
 */
export function SettingSwitch({ label, setting, hint }) {
  return html`<${Switch} label=${label} hint=${hint} checked=${setting.value} onChange=${(/** @type {boolean} */ on) => (setting.value = on)} />`;
}
