// Join a class at /join/CODE: a name, a password and a bot, and then the token of the bot.

import { useState } from "preact/hooks";

import { loginPath } from "../app/rights.js";
import { html } from "../html.js";
import { getJson } from "../net/api.js";
import { parts, tr } from "../texts.js";
import { Button } from "../widgets/button.js";
import { Field, MOST_NAME } from "../widgets/field.js";
import { CopyLine } from "../widgets/share.js";
import { useWork } from "../widgets/work.js";
import { post } from "./account/asking.js";
import { Shown, useLoaded } from "./common/load.js";
import { PageHead, useTitle } from "./common/parts.js";

/** @typedef {import("../app/app.js").App} App */
/** @import { CodeAnswer, JoinedAnswer } from "../types/api.js" */

/** @param {{app: App, params: {code: string}}} props */
export function JoinPage({ app, params }) {
  useTitle(app, tr("Join a class"));
  const [joined, setJoined] = useState(/** @type {JoinedAnswer | null} */ (null));
  const { code } = params;
  const loaded = useLoaded((signal) => getJson("/api/classes/code", { code }, { signal }), `class ${code}`);
  return html`<div class="page narrow">
    <${PageHead} title=${tr("Join a class")} />
    <${Shown} app=${app} loaded=${loaded} what=${tr("the class")}>
      ${(/** @type {CodeAnswer} */ { name }) =>
        joined
          ? html`<${Joined} app=${app} joined=${joined} />`
          : html`<${Form} app=${app} code=${code} name=${name} onDone=${setJoined} />`}
    <//>
  </div>`;
}

/** @param {{app: App, code: string, name: string, onDone: (joined: JoinedAnswer) => void}} props */
function Form({ app, code, name, onDone }) {
  app.topics.of("link").value;
  const { known, identity } = app;
  const [fields, setFields] = useState({ label: "", player: identity.name ?? "", password: "", bot: "" });
  const { busy, problem, code: refused, run, clear } = useWork();
  const typed = (/** @type {keyof typeof fields} */ field) => (/** @type {string} */ text) => {
    setFields({ ...fields, [field]: text });
    clear();
  };
  const asksPassword = !identity.account;
  const filled = Boolean(fields.label.trim() && fields.bot.trim() && (known.value || fields.player.trim()));
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (busy || !filled) return;
    void run(async () => {
      if (!known.value) await app.connect(fields.player.trim());
      else if (identity.token === null) await app.connect();
      const password = asksPassword ? { password: fields.password } : {};
      const body = { code, label: fields.label.trim(), bot: fields.bot.trim(), ...password };
      const joined = await post(app, "/api/classes/join", body);
      identity.claim();
      onDone(joined);
    });
  };
  const weak = refused === "weak_password" ? problem : "";
  return html`<form class="card stack" novalidate onSubmit=${submit}>
    <h2><bdi>${name}</bdi></h2>
    <${Field} label=${tr("Who you are")} name="label" value=${fields.label} maxlength=${80} autofocus autocomplete="name"
      hint=${tr("Only the organiser sees it.")} onInput=${typed("label")} />
    ${known.value
      ? html`<p class="hint">${parts("You play as {name}.", { name: html`<strong>${identity.name}</strong>` })}</p>`
      : html`<${Field} label=${tr("Your name as a player")} name="player" value=${fields.player} maxlength=${MOST_NAME}
          autocomplete="nickname" hint=${tr("Everybody sees it.")} onInput=${typed("player")} />`}
    ${asksPassword &&
    html`<${Field} label=${tr("Password")} name="new-password" type="password" value=${fields.password}
      autocomplete="new-password" problem=${weak} onInput=${typed("password")}
      hint=${tr("A few words that nobody guesses are good, and easy to remember.")} />`}
    <${Field} label=${tr("The name of your bot")} name="bot" value=${fields.bot} maxlength=${MOST_NAME}
      hint=${tr("Everybody sees it.")} problem=${weak ? "" : problem} onInput=${typed("bot")} />
    <div class="row">
      <${Button} kind="primary" type="submit" busy=${busy} disabled=${!filled}>${tr("Join the class")}<//>
      ${asksPassword && html`<a href=${loginPath(app)}>${tr("I have an account already")}</a>`}
    </div>
  </form>`;
}

/** @param {{app: App, joined: JoinedAnswer}} props */
function Joined({ app, joined }) {
  const name = html`<bdi>${joined.name}</bdi>`;
  const { secret } = joined.issued;
  const line = `DOUBLECROSS_TOKEN=${secret} doublecross bot ugi:./mybot --server ${location.origin}`;
  return html`<section class="card stack">
    <h2>${parts("You are in {name}.", { name })}</h2>
    <p>${parts("This is the token of {bot}.", { bot: html`<strong>${joined.bot}</strong>` })} ${tr("Copy it now: nobody can see it again. Keep it like a password.")}</p>
    <${CopyLine} app=${app} text=${secret} label=${tr("Token")} done=${tr("It is copied.")} refused=${tr("Press Ctrl+C to copy it.")} secret />
    <p>${tr("With it your bot plays here, such as a program of yours:")}</p>
    <${CopyLine} app=${app} text=${line} label=${tr("Command")} done=${tr("It is copied.")} refused=${tr("Press Ctrl+C to copy it.")} plain />
  </section>`;
}
