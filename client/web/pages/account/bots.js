// The bots that a person runs: make one, or take over one that plays as a guest.

import { useState } from "preact/hooks";

import { html } from "../../html.js";
import { tr } from "../../texts.js";
import { Button, LinkButton } from "../../widgets/button.js";
import { Dialog } from "../../widgets/dialog.js";
import { Field, MOST_NAME } from "../../widgets/field.js";
import { List } from "../../widgets/list.js";
import { useWork } from "../../widgets/work.js";
import { Name } from "../common/parts.js";
import { post } from "./asking.js";
import { SecretDialog } from "./secret.js";
import { DaysSelect, NewToken } from "./tokens.js";

/** @typedef {import("../../app/app.js").App} App */
/** @import { AccountAnswer, BotAnswer } from "../../types/api.js" */

/** @param {{app: App, account: AccountAnswer, again: () => void}} props */
export function Bots({ app, account, again }) {
  const [open, setOpen] = useState("");
  const close = () => setOpen("");
  return html`<section class="card stack">
    <h2>${tr("Bots that you run")}</h2>
    <p class="muted">${tr("A bot plays under a name of its own, and you manage its tokens here.")}</p>
    <${List}
      label=${tr("Bots that you run")}
      items=${account.bots}
      keyOf=${(/** @type {string} */ name) => name}
      row=${(/** @type {string} */ name) => html`<span class="grow"><${Name} name=${name} /></span>
        <${LinkButton} small href=${`/bot/${encodeURIComponent(name)}`} aria-label=${tr("Details of {name}", { name })}>${tr("Details")}<//>
        <${Button} small aria-label=${tr("New token for {name}", { name })} onPress=${() => setOpen(`token ${name}`)}>
          ${tr("New token ...")}
        <//>`}
      empty=${tr("You run no bot.")}
    />
    <div class="row">
      <${Button} onPress=${() => setOpen("new")}>${tr("New bot ...")}<//>
      <${Button} onPress=${() => setOpen("adopt")}>${tr("Add a bot that plays ...")}<//>
    </div>
    ${open === "new" && html`<${NewBot} app=${app} again=${again} onClose=${close} />`}
    ${open === "adopt" && html`<${Adopt} app=${app} again=${again} onClose=${close} />`}
    ${open.startsWith("token ") &&
    html`<${NewToken} app=${app} account=${account} bot=${open.slice(6)} again=${again} onClose=${close} />`}
  </section>`;
}

/** @param {{app: App, again: () => void, onClose: () => void}} props */
function NewBot({ app, again, onClose }) {
  const [name, setName] = useState("");
  const [days, setDays] = useState("90");
  const [made, setMade] = useState(/** @type {BotAnswer | null} */ (null));
  const { busy, problem, run, clear } = useWork();
  if (made?.issued) {
    const title = tr("The token of {name}", { name: made.name });
    return html`<${SecretDialog} app=${app} title=${title} label=${tr("Token")} secret=${made.issued.secret} onClose=${onClose}>
      <p class="hint">${tr("The program of the bot sends it as its token when it connects.")}</p>
    <//>`;
  }
  const submit = () =>
    void run(async () => {
      setMade(await post(app, "/api/account/bots/new", { name: name.trim(), days: Number(days) }));
      again();
    });
  return html`<${Dialog} title=${tr("New bot")} action=${tr("Make the bot")} busy=${busy} disabled=${!name.trim()}
    onClose=${onClose} onSubmit=${submit}>
    <${Field} label=${tr("Name")} name="bot" value=${name} maxlength=${MOST_NAME} problem=${problem}
      onInput=${(/** @type {string} */ text) => (setName(text), clear())} />
    <${DaysSelect} value=${days} onChange=${setDays} />
  <//>`;
}

/** @param {{app: App, again: () => void, onClose: () => void}} props */
function Adopt({ app, again, onClose }) {
  const [token, setToken] = useState("");
  const { busy, problem, run, clear } = useWork();
  const submit = () =>
    void run(async () => {
      /** @type {BotAnswer} */
      const bot = await post(app, "/api/account/bots/new", { token: token.trim() });
      app.notify(tr("You run {name} now.", { name: bot.name }), { kind: "good" });
      again();
      onClose();
    });
  return html`<${Dialog} title=${tr("Add a bot that plays")} action=${tr("Add the bot")} busy=${busy} disabled=${!token.trim()}
    onClose=${onClose} onSubmit=${submit}>
    <p>${tr("A bot that has played without an account keeps its name, rating and token.")}</p>
    <${Field} label=${tr("The bot's token")} name="bot-token" type="password" value=${token} maxlength=${200} problem=${problem}
      onInput=${(/** @type {string} */ text) => (setToken(text), clear())} />
  <//>`;
}
