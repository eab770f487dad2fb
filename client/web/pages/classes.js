// The classes that a player organises at /classes: make one, pass on its link, manage its bots.

import { useState } from "preact/hooks";

import { outer } from "../address.js";
import { loginPath, readAccount } from "../app/rights.js";
import { html } from "../html.js";
import { getJson } from "../net/api.js";
import { tr } from "../texts.js";
import { Button, LinkButton } from "../widgets/button.js";
import { Dialog } from "../widgets/dialog.js";
import { Field, Switch } from "../widgets/field.js";
import { Share } from "../widgets/share.js";
import { useWork } from "../widgets/work.js";
import { Confirm, post } from "./account/asking.js";
import { Members } from "./classes/members.js";
import { Shown, useLoaded } from "./common/load.js";
import { PageHead, useTitle } from "./common/parts.js";

/** @typedef {import("../app/app.js").App} App */
/** @import { AccountAnswer, ClassAnswer, ClassesAnswer } from "../types/api.js" */
/** @typedef {{account: AccountAnswer | null, classes: ClassAnswer[]}} Found */

/** @param {{app: App}} props */
export function ClassesPage({ app }) {
  useTitle(app, tr("Classes"));
  app.topics.of("link").value;
  const [making, setMaking] = useState(false);
  const load = async (/** @type {AbortSignal} */ signal) => {
    const { token } = app.identity;
    const account = token === null ? null : await readAccount(app, signal);
    if (!account?.session) return { account, classes: [] };
    /** @type {ClassesAnswer} */
    const { classes } = await getJson("/api/classes", {}, { token, signal });
    return { account, classes };
  };
  const loaded = useLoaded(load, `classes ${app.identity.token}`);
  const chosen = new URLSearchParams(app.route.value.search).get("id");
  return html`<div class="page">
    <${PageHead}
      title=${tr("Classes")}
      about=${tr("The members of a class join with a link, and get an account and a bot each.")}
      actions=${loaded.value?.account?.session &&
      html`<${Button} kind="primary" onPress=${() => setMaking(true)}>${tr("New class ...")}<//>`}
    />
    <${Shown} app=${app} loaded=${loaded} what=${tr("the classes")}>
      ${(/** @type {Found} */ { account, classes }) => {
        if (!account?.session)
          return html`<div class="card empty">
            <p>${tr("To organise a class, log in with an account that has a password.")}</p>
            <${LinkButton} href=${loginPath(app)}>${tr("Log in")}<//>
          </div>`;
        if (!classes.length) return html`<p class="card empty">${tr("You organise no class yet.")}</p>`;
        const shown = classes.find((each) => each.id === chosen) ?? classes[0];
        return html`<div class="stack">
          ${classes.length > 1 &&
          html`<nav class="row" aria-label=${tr("Classes")}>
            ${classes.map(
              (each) =>
                html`<${LinkButton} key=${each.id} small href=${`/classes?id=${each.id}`} aria-current=${each === shown ? "page" : undefined}>
                  ${each.name}
                <//>`,
            )}
          </nav>`}
          <${One} key=${shown?.id} app=${app} found=${shown} again=${loaded.again} />
        </div>`;
      }}
    <//>
    ${making && html`<${NewClass} app=${app} again=${loaded.again} onClose=${() => setMaking(false)} />`}
  </div>`;
}

/** @param {{app: App, again: () => void, onClose: () => void}} props */
function NewClass({ app, again, onClose }) {
  const [name, setName] = useState("");
  const { busy, problem, run, clear } = useWork();
  const submit = () =>
    void run(async () => {
      /** @type {ClassAnswer} */
      const made = await post(app, "/api/classes/new", { name: name.trim() });
      again();
      app.navigate(`/classes?id=${made.id}`);
      onClose();
    });
  return html`<${Dialog} title=${tr("New class")} action=${tr("Make the class")} busy=${busy} disabled=${!name.trim()}
    onClose=${onClose} onSubmit=${submit}>
    <${Field} label=${tr("Name")} name="class" value=${name} maxlength=${60} problem=${problem} autofocus
      onInput=${(/** @type {string} */ text) => (setName(text), clear())} />
  <//>`;
}

/** @param {{app: App, found: ClassAnswer, again: () => void}} props */
function One({ app, found, again }) {
  const [renewing, setRenewing] = useState(false);
  const change = (/** @type {object} */ what) => post(app, "/api/classes/change", { id: found.id, ...what }).then(again);
  const open = (/** @type {boolean} */ wanted) =>
    void change({ open: wanted }).catch((error) => app.complain(error));
  return html`<section class="card stack">
      <h2><bdi>${found.name}</bdi></h2>
      ${found.open &&
      html`<${Share} app=${app} url=${`${location.origin}${outer(`/join/${found.code}`)}`} title=${found.name}
        label=${tr("Link to join the class")} qr="hidden" plain />`}
      <div class="row apart">
        <${Switch} label=${tr("New members may join")} checked=${found.open} onChange=${open} />
        <${Button} small onPress=${() => setRenewing(true)}>${tr("Change the link ...")}<//>
      </div>
      ${renewing &&
      html`<${Confirm} title=${tr("Change the link?")} action=${tr("Change it")} work=${() => change({ new_code: true })}
        onClose=${() => setRenewing(false)}>
        <p>${tr("The old link and its code end. Members stay.")}</p>
      <//>`}
    </section>
    <${Members} app=${app} id=${found.id} />`;
}

