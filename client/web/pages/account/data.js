// What the server keeps about the player: take it out, or delete the account.

import { useState } from "preact/hooks";

import { html } from "../../html.js";
import { download, fetched } from "../../net/files.js";
import { tr } from "../../texts.js";
import { Button } from "../../widgets/button.js";
import { Field } from "../../widgets/field.js";
import { useWork } from "../../widgets/work.js";
import { Confirm, post } from "./asking.js";

/** @typedef {import("../../app/app.js").App} App */
/** @typedef {import("../../types/api.js").AccountAnswer} AccountAnswer */

/** @param {{app: App, account: AccountAnswer, onDeleted: () => void}} props */
export function OwnData({ app, account, onDeleted }) {
  const [asks, setAsks] = useState(false);
  const { busy, problem, run } = useWork();
  const save = () =>
    run(async () => download(await fetched("/api/account/data", app.identity.token, true), `${account.name}.json`));
  return html`<section class="card stack">
    <h2>${tr("Your data")}</h2>
    <p class="muted small">${tr("All that the server keeps about you: your games, what you have learned, what you have said.")}</p>
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    <div class="row">
      <${Button} small busy=${busy} onPress=${save}>${tr("Save as a file")}<//>
      <${Button} small onPress=${() => setAsks(true)}>${tr("Delete the account ...")}<//>
    </div>
    ${asks && html`<${Delete} app=${app} account=${account} onClose=${() => setAsks(false)} onDeleted=${onDeleted} />`}
  </section>`;
}

/** @param {{app: App, account: AccountAnswer, onClose: () => void, onDeleted: () => void}} props */
function Delete({ app, account, onClose, onDeleted }) {
  const [confirm, setConfirm] = useState("");
  const [current, setCurrent] = useState("");
  const disabled = confirm !== account.name || (account.has_password && !current);
  const work = async () => (await post(app, "/api/account/delete", { confirm, current }), onDeleted());
  return html`<${Confirm} title=${tr("Delete your account?")} action=${tr("Delete")} disabled=${disabled} onClose=${onClose} work=${work}>
    <p>${tr("Your name, your ratings and what you have learned are gone for good. Your games stay for your opponents, without your name.")}</p>
    <${Field} label=${tr("Type your name, {name}", { name: account.name })} name="confirm" value=${confirm} onInput=${setConfirm} />
    ${account.has_password &&
    html`<${Field} label=${tr("Current password")} name="current" type="password" value=${current} autocomplete="current-password" onInput=${setCurrent} />`}
  <//>`;
}
