// A dialog over the page. The focus begins in its first field; Escape and a press outside close it,
// and the focus returns to where it was.
//
// Dialog props: title, onClose, children, actions (elements in the last row), wide,
//   onSubmit (makes the dialog a form: Enter in a field confirms), problem (sentence above the actions),
//   action (text of a button that confirms, beside one that cancels; kind, busy, disabled: see Button).

import { useEffect, useId, useLayoutEffect, useRef } from "preact/hooks";

import { html } from "../html.js";
import { tr } from "../texts.js";
import { Button } from "./button.js";

const CONTROLS = "input:checked, input:not([type=radio]), select, textarea, button, a[href]";

/**
 * @param {{title: string, onClose: () => void, children?: import("preact").ComponentChildren,
 *   actions?: import("preact").ComponentChildren, action?: string, kind?: "primary" | "danger",
 *   busy?: boolean, disabled?: boolean, wide?: boolean, problem?: string,
 *   onSubmit?: () => void}} props
 */
export function Dialog({ title, onClose, children, actions, action, kind = "primary", busy, disabled, wide, problem, onSubmit }) {
  const id = useId();
  const element = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const pressed = useRef(false);
  /** What this dialog gave the focus to; null if the browser or a field has chosen. */
  const begun = useRef(/** @type {Element | null | undefined} */ (undefined));
  // The end of other effects comes after the next frame, and would take the focus from where a person
  // has moved it meanwhile.
  useLayoutEffect(() => {
    const dialog = element.current;
    if (dialog === null) return undefined;
    const before = document.activeElement;
    if (!dialog.open) dialog.showModal();
    return () => {
      dialog.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  useEffect(() => {
    // The browser begins with the button that closes. The first field is of more use, and Cancel
    // is what a question begins with. Fields may come late: until somebody moves the focus, it
    // goes to what is first now.
    const dialog = element.current;
    const body = dialog?.querySelector(".dialog-body");
    const now = document.activeElement;
    if (begun.current === undefined && body?.contains(now)) begun.current = null;
    if (begun.current !== undefined && begun.current !== now) return;
    const first = body?.querySelector(CONTROLS) ?? dialog?.querySelector(".dialog-foot .button");
    if (!(first instanceof HTMLElement)) return;
    begun.current = first;
    if (first !== now) first.focus({ preventScroll: true });
  });
  const outside = (/** @type {Event} */ event) => event.target === element.current;
  const content = html`
    <header class="dialog-head">
      <h2 id=${id}>${title}</h2>
      <${Button} kind="quiet" icon="close" label=${tr("Close")} onPress=${onClose} />
    </header>
    <div class="dialog-body"><div class="stack">${children}</div></div>
    ${problem && html`<p class="problem dialog-problem" role="alert">${problem}</p>`}
    ${(actions || action) &&
    html`<footer class="dialog-foot">
      ${actions}
      ${action &&
      html`<${Button} onPress=${onClose}>${tr("Cancel")}<//>
        <${Button} kind=${kind} type="submit" busy=${busy} disabled=${disabled}>${action}<//>`}
    </footer>`}
  `;
  return html`<dialog
    ref=${element}
    class=${wide ? "dialog wide" : "dialog"}
    aria-labelledby=${id}
    onCancel=${(/** @type {Event} */ event) => {
      event.preventDefault();
      onClose();
    }}
    onPointerDown=${(/** @type {Event} */ event) => {
      pressed.current = outside(event);
    }}
    onClick=${(/** @type {Event} */ event) => {
      // A press that began inside, such as one that selects text, must not close it.
      if (pressed.current && outside(event)) onClose();
    }}
  >
    ${onSubmit
      ? html`<form
          class="dialog-form"
          novalidate
          onSubmit=${(/** @type {Event} */ event) => {
            event.preventDefault();
            onSubmit();
          }}
        >
          ${content}
        </form>`
      : html`<div class="dialog-form">${content}</div>`}
  </dialog>`;
}
