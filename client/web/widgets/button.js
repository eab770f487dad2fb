// A button, and a link that looks like one.
//
// Button props: kind ("primary" | "quiet" | "danger" | undefined), small, wide, icon (a name of Icon),
//   busy (shows that it works and ignores presses), disabled (ignores presses), label (accessible
//   name of a button that shows only an icon), pressed (boolean: a toggle), onPress,
//   type ("button" | "submit"), id, class, children; further props (such as aria-*) go to the element.
//   A label that changes is a new element, so that it shows in a page that the browser has translated.
//   A button that is busy or disabled keeps the focus, so that nobody who uses the keyboard has to
//   start again at the top of the page.
// LinkButton props: the same looks, and href.

import { html } from "../html.js";
import { Icon } from "./icon.js";

/**
 * @typedef {{kind?: "primary" | "quiet" | "danger", small?: boolean, wide?: boolean, icon?: string,
 *   class?: string, children?: import("preact").ComponentChildren, label?: string}} Looks
 */

/**
 * @param {Looks & {busy?: boolean, disabled?: boolean, pressed?: boolean, id?: string,
 *   type?: "button" | "submit", onPress?: (event: Event) => void, [more: string]: unknown}} props
 */
export function Button(props) {
  const { kind, small, wide, icon, busy, disabled, label, pressed, onPress, ...rest } = props;
  const { type = "button", children, class: more, ...others } = rest;
  return html`<button
    ...${others}
    type=${type}
    class=${classes(props, more)}
    aria-label=${label ?? rest["aria-label"]}
    title=${label}
    aria-pressed=${pressed}
    aria-busy=${busy ? "true" : undefined}
    aria-disabled=${busy || disabled ? "true" : undefined}
    onClick=${(/** @type {Event} */ event) => {
      // Without this, a submit button would still submit its form.
      if (busy || disabled) event.preventDefault();
      else onPress?.(event);
    }}
  >
    ${busy ? html`<span class="spinner" aria-hidden="true"></span>` : icon ? html`<${Icon} name=${icon} />` : null}
    ${labelled(children)}
  </button>`;
}

/** @param {Looks & {href: string, [more: string]: unknown}} props */
export function LinkButton(props) {
  const { kind, small, wide, icon, label, children, class: more, ...others } = props;
  return html`<a ...${others} class=${classes(props, more)} aria-label=${label ?? others["aria-label"]}>
    ${icon ? html`<${Icon} name=${icon} />` : null} ${labelled(children)}
  </a>`;
}

/** @param {import("preact").ComponentChildren} children */
function labelled(children) {
  return typeof children === "string" ? html`<span key=${children}>${children}</span>` : children;
}

/**
 * @param {Looks} looks
 * @param {string | undefined} more
 */
function classes({ kind, small, wide, icon, children }, more) {
  const only = icon !== undefined && (children === undefined || children === null);
  return ["button", kind, small && "small", wide && "wide", only && "only-icon", more]
    .filter(Boolean)
    .join(" ");
}
