// A link to pass on: its text, a button that copies it, its QR code, and the device's own sharing.
//
// Props: app, url (absolute), title (what is shared, for the device's dialog), label (of the field),
//   qr ("shown" | "hidden" | "none": behind a button, or not at all), plain (where something else is the primary button),
//   children (more buttons).

import { useEffect, useRef, useState } from "preact/hooks";

import { html } from "../html.js";
import { parts, tr } from "../texts.js";
import { Button } from "./button.js";
import { later } from "./later.js";

const Qr = later(async () => (await import("./qr.js")).Qr);
/** How long the button says that the link was copied, in milliseconds. */
const COPIED_MS = 2500;
/** Names of the visitor's own computer. */
const HERE = /^(localhost|127\..*|\[::1\])$/;

/**
 * @param {{app: {say: (text: string) => void}, url: string, title?: string, label?: string,
 *   qr?: "shown" | "hidden" | "none", plain?: boolean, children?: import("preact").ComponentChildren}} props
 */
export function Share({ app, url, title = "Doublecross", label = tr("Link"), qr = "shown", plain = false, children = null }) {
  const [open, setOpen] = useState(qr === "shown");
  const share = typeof navigator.share === "function";
  return html`<div class="stack tight share">
    <${CopyLine} app=${app} text=${url} label=${label} plain=${plain} done=${tr("The link is copied.")} refused=${tr("Press Ctrl+C to copy the link.")} />
    <div class="row">
      ${share &&
      html`<${Button} icon="share" onPress=${() => void navigator.share({ title, url }).catch(() => {})}>
        ${tr("link|Share")}
      <//>`}
      ${children}
      ${qr === "hidden" &&
      html`<${Button} kind="quiet" small aria-expanded=${open} onPress=${() => setOpen(!open)}>
        ${open ? tr("Hide the QR code") : tr("Show the QR code")}
      <//>`}
    </div>
    ${open &&
    qr !== "none" &&
    html`<div style=${{ minBlockSize: "176px" }}><${Qr} text=${url} label=${tr("QR code of the link")} /></div>`}
    ${HERE.test(new URL(url).hostname) &&
    html`<p class="hint">
      ${parts("This link works on this computer only. The host lets others in with {option}.", {
        option: html`<code>--host 0.0.0.0</code>`,
      })}
    </p>`}
  </div>`;
}

/**
 * A text in a field, beside a button that copies it. `done` and `refused` say what became of it.
 * @param {{app: {say: (text: string) => void}, text: string, label: string, done: string, refused: string,
 *   secret?: boolean, plain?: boolean}} props
 */
export function CopyLine({ app, text, label, done, refused, secret = false, plain = false }) {
  const [copied, setCopied] = useState(false);
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    const success = await copyText(text, field.current);
    setCopied(success);
    app.say(success ? done : refused);
  };
  return html`<div class="share-line">
    <input
      ref=${field}
      class=${secret ? "input secret" : "input"}
      readonly
      aria-label=${label}
      value=${text}
      onFocus=${(/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.currentTarget).select()}
    />
    <${Button} kind=${plain ? undefined : "primary"} icon=${copied ? "check" : "copy"} onPress=${copy} class="share-copy">
      ${copied ? tr("Copied") : tr("Copy")}
    <//>
  </div>`;
}

/**
 * Copy `text`; return false if the browser refuses, after selecting the field for the person.
 * @param {string} text
 * @param {HTMLInputElement | null} field
 */
async function copyText(text, field) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Over plain http from another computer there is no clipboard; the old way still works there.
    field?.focus();
    field?.select();
    return document.execCommand("copy");
  }
}
