// Parts that lessons and puzzles share: what was said, problems, and texts with terms.

import { useState } from "preact/hooks";

import { html } from "../../html.js";
import { parts } from "../../models/learn/text.js";
import { tr } from "../../texts.js";
import { Button } from "../../widgets/button.js";

/** @param {{message: import("../../models/learn/words.js").Message}} props */
export function Said({ message }) {
  return html`<p class=${`said ${message.tone}`} role="status"><span key=${message.text}>${message.text}</span></p>`;
}

/** @param {{problem: string, again: () => void}} props */
export function Problem({ problem, again }) {
  if (!problem) return null;
  return html`<div class="row">
    <p class="error" role="alert">${problem}</p>
    <${Button} small onPress=${again}>${tr("Try again")}<//>
  </div>`;
}

/** Where what the person learns is kept. @param {{app: import("../../app/app.js").App}} props */
export function Kept({ app }) {
  const name = app.me.value;
  const where = !name
    ? tr("You have no name here yet, so what you solve is kept in this browser only. It comes along when you choose a name.")
    : app.identity.account
      ? tr("What you solve is kept in your account, for all your devices.")
      : tr("What you solve is kept for {name}. With a password you find it on other devices too.", { name });
  return html`<p class="muted small">${where}</p>`;
}

/**
 * A paragraph; a press on a marked word explains it below.
 * @param {{text: string, terms: Record<string, string>}} props
 */
export function Explained({ text, terms }) {
  const [term, setTerm] = useState("");
  const piece = (/** @type {{text: string, term: string}} */ part) =>
    part.term
      ? html`<button type="button" class="term" aria-expanded=${part.term === term}
          onClick=${() => setTerm(part.term === term ? "" : part.term)}>${part.text}</button>`
      : part.text;
  const word = tr(term);
  const about = term && `${word[0].toUpperCase()}${word.slice(1)}: ${terms[term]}`;
  return html`<p>${parts(text).map(piece)}</p>
    <p class="muted small" role="status">
      ${about || (parts(text).some((part) => part.term) && tr("Press an underlined word to see what it means."))}
    </p>`;
}
