// A forgotten password: ask for a link, and set a new password or confirm an e-mail address with one.

import { useEffect, useState } from "preact/hooks";

import { html } from "../../html.js";
import { getJson } from "../../net/api.js";
import { tr } from "../../texts.js";
import { Button } from "../../widgets/button.js";
import { Field } from "../../widgets/field.js";
import { useWork } from "../../widgets/work.js";
import { LAST_NAME } from "./login.js";
import { PasswordForm } from "./password.js";

/** @typedef {import("../../app/app.js").App} App */

/** Ask for a link, where the server sends mails; elsewhere only its host has one. */
export function Forgotten() {
  const [mail, setMail] = useState(false);
  const [who, setWho] = useState("");
  const [sent, setSent] = useState(false);
  const { busy, problem, run, clear } = useWork();
  useEffect(() => {
    getJson("/api/login/ways").then((ways) => setMail(ways.mail), () => {});
  }, []);
  if (!mail) return html`<p class="hint">${tr("Who has forgotten the password asks the host of this server for a link.")}</p>`;
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (who.trim()) void run(async () => (await getJson("/api/login/forgotten", {}, { body: { who: who.trim() } }), setSent(true)));
  };
  return html`<details>
    <summary>${tr("I have forgotten my password")}</summary>
    ${sent
      ? html`<p role="status">${tr("If the account has an e-mail address, a link is on its way to it. It works for one hour.")}</p>`
      : html`<form class="stack" novalidate onSubmit=${submit}>
          <${Field} label=${tr("Your name or e-mail address")} name="who" value=${who} maxlength=${254} autocomplete="username"
            problem=${problem} onInput=${(/** @type {string} */ text) => (setWho(text), clear())} />
          <div class="row"><${Button} type="submit" busy=${busy} disabled=${!who.trim()}>${tr("Send me a link")}<//></div>
        </form>`}
  </details>`;
}

/**
 * What a link of a mail or of the host is for.
 * @param {{app: App, kind: string, link: string}} props
 */
export function Linked({ app, kind, link }) {
  const { busy, problem, run } = useWork();
  const done = (/** @type {string} */ sentence) => {
    app.notify(sentence, { kind: "good" });
    app.navigate("/account", { replace: true });
  };
  if (kind === "confirm") {
    const confirm = async () => {
      await getJson("/api/login/confirm", {}, { body: { link } });
      done(tr("Your e-mail address is confirmed."));
    };
    return html`<section class="card stack">
      <h2>${tr("E-mail address")}</h2>
      <p>${tr("For a link if you have forgotten your password. Other players do not see it.")}</p>
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      <div class="row"><${Button} kind="primary" busy=${busy} onPress=${() => run(confirm)}>${tr("Confirm the address")}<//></div>
    </section>`;
  }
  if (kind === "turns") {
    const stop = async () => {
      await getJson("/api/notices/stop", { link }, { body: {} });
      done(tr("You get no more mails at your turn."));
    };
    return html`<section class="card stack">
      <h2>${tr("Mails at my turn")}</h2>
      <p>${tr("In games by days, when you have been away for ten minutes.")}</p>
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      <div class="row"><${Button} kind="primary" busy=${busy} onPress=${() => run(stop)}>${tr("No more of these mails")}<//></div>
    </section>`;
  }
  const reset = async (/** @type {string} */ password) => {
    const { name } = await getJson("/api/login/reset", {}, { body: { link, password } });
    app.storage.set(LAST_NAME, name);
  };
  return html`<section class="card stack">
    <h2>${tr("New password")}</h2>
    <${PasswordForm} app=${app} account=${{ name: "", has_password: false }} action=${tr("Set the password")} send=${reset}
      onDone=${() => done(tr("Your new password is set. Log in with it."))} />
  </section>`;
}
