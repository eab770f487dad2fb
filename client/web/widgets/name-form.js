// Ask a visitor for a name: one field with a good default, and one button. Enter goes on.
//
// Props: app, action (text of the button), label, initial (text of the field; a guest's name if left
//   out), onDone(name), autofocus, secondary (elements beside the button).

import { useState } from "preact/hooks";

import { loginPath } from "../app/rights.js";
import { html } from "../html.js";
import { guestName, nameProblem } from "../models/lobby/names.js";
import { tr } from "../texts.js";
import { Button, LinkButton } from "./button.js";
import { Field, MOST_NAME } from "./field.js";
import { useWork } from "./work.js";

/**
 * @param {{app: import("../app/app.js").App, action: string, label?: string, initial?: string,
 *   onDone?: (name: string) => void, autofocus?: boolean,
 *   secondary?: import("preact").ComponentChildren}} props
 */
export function NameForm({ app, action, label = tr("Your name"), initial, onDone, autofocus = true, secondary }) {
  const [name, setName] = useState(() => initial ?? app.identity.name ?? guestName(app.random));
  // A name that this browser knew may belong to somebody else on this server.
  const { busy, problem, run, clear } = useWork(app.link.state === "nameless" ? app.link.sentence : "");
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (busy) return;
    const wanted = name.trim();
    const wrong = nameProblem(wanted);
    clear(wrong);
    if (wrong) return;
    void run(async () => {
      if (wanted === app.me.peek()) app.identity.lend(false);
      else await app.connect(wanted);
      onDone?.(wanted);
    });
  };
  return html`<form class="stack tight" novalidate onSubmit=${submit}>
    <${Field}
      label=${label}
      name="name"
      value=${name}
      maxlength=${MOST_NAME}
      autocomplete="nickname"
      autocapitalize="words"
      enterkeyhint="go"
      autofocus=${autofocus}
      problem=${problem}
      onInput=${(/** @type {string} */ text) => {
        setName(text);
        clear();
      }}
    />
    <div class="row name-actions">
      <${Button} kind="primary" type="submit" busy=${busy}>${action}<//> ${secondary}
      ${app.route.value.name !== "account" && html`<${LinkButton} kind="quiet" href=${loginPath(app)}>${tr("Log in")}<//>`}
    </div>
  </form>`;
}
