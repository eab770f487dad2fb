// A button that opens a short list of links below it. Escape, a press outside and a chosen link close it.
//
// Props: label (accessible name), icon, children (the links).

import { useEffect, useId, useRef, useState } from "preact/hooks";

import { html } from "../html.js";
import { Button } from "./button.js";

/** @param {{label: string, icon: string, children?: import("preact").ComponentChildren}} props */
export function Menu({ label, icon, children }) {
  const [open, setOpen] = useState(false);
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const id = useId();
  useEffect(() => {
    if (!open) return undefined;
    const outside = (/** @type {Event} */ event) => {
      if (!box.current?.contains(/** @type {Node} */ (event.target))) setOpen(false);
    };
    const escape = (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Escape") return;
      setOpen(false);
      box.current?.querySelector("button")?.focus();
    };
    document.addEventListener("pointerdown", outside);
    document.addEventListener("focusin", outside);
    document.addEventListener("keydown", escape);
    return () => {
      document.removeEventListener("pointerdown", outside);
      document.removeEventListener("focusin", outside);
      document.removeEventListener("keydown", escape);
    };
  }, [open]);
  return html`<div class="menu" ref=${box}>
    <${Button}
      kind="quiet"
      icon=${icon}
      label=${label}
      aria-expanded=${open}
      aria-controls=${id}
      onPress=${() => setOpen(!open)}
    />
    <nav class="menu-list" id=${id} hidden=${!open} aria-label=${label} onClick=${() => setOpen(false)}>
      ${children}
    </nav>
  </div>`;
}
