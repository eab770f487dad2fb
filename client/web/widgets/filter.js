// What a list shows, behind one button; what is chosen is beside it, and a press removes it.
//
// Filter props: chips ([{title, href}], where href is the list without it), onSubmit (of a form whose fields apply
//   with a button), children (the fields); head and aside stand at the start and at the end of its row.

import { useEffect, useId, useRef, useState } from "preact/hooks";

import { html } from "../html.js";
import { tr } from "../texts.js";
import { Button } from "./button.js";
import { Icon } from "./icon.js";

/** @typedef {import("preact").ComponentChildren} Children */

/**
 * @param {{chips: readonly {title: string, href: string}[], onSubmit?: () => void,
 *   head?: Children, aside?: Children, children: Children}} props
 */
export function Filter({ chips, onSubmit, head, aside, children }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const chosen = chips.map(({ title }) => title).join("\n");
  const form = useRef(/** @type {HTMLFormElement | null} */ (null));
  useEffect(() => {
    // What was chosen shows now, so its fields make room for it, and the keyboard goes on from their button.
    if (form.current?.contains(document.activeElement)) form.current.querySelector("button")?.focus();
    setOpen(false);
  }, [chosen]);
  return html`<form
    ref=${form}
    class="stack tight"
    role="search"
    onSubmit=${(/** @type {Event} */ event) => {
      event.preventDefault();
      onSubmit?.();
    }}
  >
    <div class="row">
      ${head}
      <${Button} small icon="filter" aria-expanded=${open} aria-controls=${id} onPress=${() => setOpen(!open)}>${tr("Filter")}<//>
      ${chips.map(
        ({ title, href }) => html`<a key=${title} class="chip" href=${href} aria-label=${tr("Remove {what}", { what: title })}>
          ${title} <${Icon} name="close" size=${16} />
        </a>`,
      )}
      <span class="filter-aside">${aside}</span>
    </div>
    <div class="card filters" id=${id} hidden=${!open}>
      ${children} ${onSubmit && html`<${Button} type="submit">${tr("Show")}<//>`}
    </div>
  </form>`;
}
