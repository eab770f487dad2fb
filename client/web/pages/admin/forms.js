// The dialogs of the administration: the form of an action, and what can be done to a player.

import { useState } from "preact/hooks";

import { outer } from "../../address.js";
import { html } from "../../html.js";
import { ban, banNetwork, endSecondFactor, endTokens, grant, kick, problemsOf, remove, rename, resetPassword } from "../../models/admin-actions.js";
import { tr } from "../../texts.js";
import { Button } from "../../widgets/button.js";
import { Select } from "../../widgets/choice.js";
import { Dialog } from "../../widgets/dialog.js";
import { Field } from "../../widgets/field.js";
import { useWork } from "../../widgets/work.js";
import { post } from "../account/asking.js";
import { SecretDialog } from "../account/secret.js";

/** @typedef {import("../../app/app.js").App} App */
/** @import { Action, Input } from "../../models/admin-actions.js" */

/**
 * Ask for what an action needs, and carry it out.
 * @param {{app: App, action: Action, onClose: () => void, again: () => void}} props
 */
export function ActionDialog({ app, action, onClose, again }) {
  const [values, setValues] = useState(() => Object.fromEntries(action.inputs.map(({ name, initial = "" }) => [name, initial])));
  const [wrong, setWrong] = useState(/** @type {Record<string, string>} */ ({}));
  const [secret, setSecret] = useState("");
  const { busy, problem, run, clear } = useWork();
  const submit = () => {
    const problems = problemsOf(action, values);
    setWrong(problems);
    if (Object.keys(problems).length > 0) return;
    void run(async () => {
      const answer = await post(app, action.path, action.body(values));
      app.notify(action.done(values), { kind: "good", key: "admin" });
      again();
      if (action.secret) setSecret(new URL(outer(answer.link), location.href).href);
      else onClose();
    });
  };
  if (secret && action.secret) {
    return html`<${SecretDialog} app=${app} title=${action.done(values)} label=${action.secret} secret=${secret} onClose=${onClose} />`;
  }
  const change = (/** @type {string} */ name) => (/** @type {string} */ text) => {
    setValues({ ...values, [name]: text });
    setWrong({});
    clear();
  };
  return html`<${Dialog}
    title=${action.title}
    action=${action.confirm}
    kind=${action.kind}
    busy=${busy}
    problem=${problem}
    onClose=${onClose}
    onSubmit=${submit}
  >
    <p>${action.about}</p>
    ${action.inputs.map(
      (input) => html`<${FieldOf}
        key=${input.name}
        input=${input}
        value=${values[input.name]}
        problem=${wrong[input.name] ?? ""}
        onInput=${change(input.name)}
      />`,
    )}
  <//>`;
}

/** @param {{input: Input, value: string, problem: string, onInput: (text: string) => void}} props */
function FieldOf({ input, value, problem, onInput }) {
  const { label, name, hint, options } = input;
  if (options) return html`<${Select} label=${label} name=${name} value=${value} options=${options} onChange=${onInput} />`;
  return html`<${Field} label=${label} name=${name} value=${value} hint=${hint} problem=${problem} maxlength=${500} onInput=${onInput} />`;
}

/**
 * A player to manage; what is undefined is not known.
 * @typedef {{name: string, connected: boolean, address?: string, admin?: boolean, claimed?: boolean, second_factor?: boolean}} Managed
 */

/**
 * What can be done to a player: a list of buttons, each of which leads to its form.
 * @param {{app: App, player: Managed, onClose: () => void, again: () => void, children?: import("preact").ComponentChildren}} props
 */
export function PlayerDialog({ app, player, onClose, again, children }) {
  const [action, setAction] = useState(/** @type {Action | null} */ (null));
  if (action !== null) {
    return html`<${ActionDialog} key=${action.path} app=${app} action=${action} onClose=${onClose} again=${again} />`;
  }
  const { name, address } = player;
  const button = (/** @type {string} */ title, /** @type {() => Action} */ make, danger = false) =>
    html`<${Button} wide kind=${danger ? "danger" : undefined} onPress=${() => setAction(make())}>${title}<//>`;
  return html`<${Dialog} title=${name} onClose=${onClose}>
    ${children}
    <div class="stack tight">
      ${player.connected && button(tr("Disconnect ..."), () => kick(name))}
      ${button(tr("Ban ..."), () => ban(name))}
      ${address && button(tr("Ban the address ..."), () => banNetwork(address))}
      ${button(tr("Rename ..."), () => rename(name))}
      ${player.claimed &&
      html`${button(tr("Reset the password ..."), () => resetPassword(name))}
      ${button(tr("End all logins and tokens ..."), () => endTokens(name))}
      ${player.second_factor && button(tr("Ask for no codes ..."), () => endSecondFactor(name))}
      ${player.admin
        ? button(tr("Take the rights of an admin ..."), () => grant(name, false))
        : button(tr("Make an admin ..."), () => grant(name, true))}`}
      ${button(tr("Delete ..."), () => remove(name), true)}
    </div>
  <//>`;
}
