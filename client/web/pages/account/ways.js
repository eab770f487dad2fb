// How a person logs in beside the password: an e-mail address for a lost one, codes of an app, passkeys.

import { useState } from "preact/hooks";

import { html } from "../../html.js";
import { deviceLabel } from "../../models/account.js";
import { dateText } from "../../models/time.js";
import { getJson } from "../../net/api.js";
import { askPasskey, hasPasskeys } from "../../net/passkeys.js";
import { plural, tr } from "../../texts.js";
import { Button } from "../../widgets/button.js";
import { Field } from "../../widgets/field.js";
import { later } from "../../widgets/later.js";
import { useWork } from "../../widgets/work.js";
import { Shown, useLoaded } from "../common/load.js";
import { Confirm, post } from "./asking.js";
import { SecretDialog } from "./secret.js";

/** @typedef {import("../../app/app.js").App} App */
/** @import { AccountAnswer, AppKeyAnswer, LoginsAnswer, PasskeyLine } from "../../types/api.js" */

const Qr = later(async () => (await import("../../widgets/qr.js")).Qr);

/** @param {{app: App, account: AccountAnswer}} props */
export function Ways({ app, account }) {
  const { token } = app.identity;
  const loaded = useLoaded((signal) => getJson("/api/account/logins", {}, { token, signal }), `logins ${token}`);
  return html`<section class="card stack">
    <h2>${tr("How you log in")}</h2>
    <${Shown} app=${app} loaded=${loaded} what=${tr("your account")}>
      ${(/** @type {LoginsAnswer} */ logins) => html`<${List} app=${app} account=${account} logins=${logins} again=${loaded.again} />`}
    <//>
  </section>`;
}

/** @param {{app: App, account: AccountAnswer, logins: LoginsAnswer, again: () => void}} props */
function List({ app, account, logins, again }) {
  const [open, setOpen] = useState(/** @type {string | AppKeyAnswer | PasskeyLine} */ (""));
  const [codes, setCodes] = useState(/** @type {string[]} */ ([]));
  const { busy, problem, run } = useWork();
  const close = () => setOpen("");
  const guarded = { app, account, again, onClose: close };
  const key = () => run(async () => setOpen(await post(app, "/api/account/app/key", {})));
  const { email, unconfirmed, second_factor, recovery_codes, passkeys } = logins;
  return html`
    ${(logins.mail || email) &&
    html`<${Way} title=${tr("E-mail address")} about=${tr("For a link if you have forgotten your password. Other players do not see it.")}
      state=${unconfirmed ? tr("Open the link in the mail to {address} to confirm it.", { address: unconfirmed }) : (email ?? "")}>
      ${logins.mail && html`<${Button} small onPress=${() => setOpen("email")}>${email || unconfirmed ? tr("Change ...") : tr("Add ...")}<//>`}
      ${(email || unconfirmed) && html`<${Button} small onPress=${() => setOpen("no email")}>${tr("Remove ...")}<//>`}
    <//>`}
    <${Way} title=${tr("Code from an app")} about=${tr("After your password you type a code that your phone shows. A stolen password is then not enough.")}
      state=${second_factor && plural("It is on; 1 recovery code is left.", "It is on; {n} recovery codes are left.", recovery_codes)}>
      <${Button} small busy=${busy} onPress=${key}>${second_factor ? tr("Set up again ...") : tr("Turn on ...")}<//>
      ${second_factor && html`<${Button} small onPress=${() => setOpen("off")}>${tr("Turn off ...")}<//>`}
    <//>
    <${Way} title=${tr("Passkeys")} about=${tr("Log in with your fingerprint, your face or the lock of your device, without name and password.")}
      state=${!hasPasskeys() && tr("Passkeys need an address with https and a name.")}>
      ${hasPasskeys() && html`<${Button} small onPress=${() => setOpen("passkey")}>${tr("Add ...")}<//>`}
    <//>
    ${passkeys.length > 0 &&
    html`<ul class="list" role="list" aria-label=${tr("Passkeys")}>
      ${passkeys.map(
        (each) => html`<li class="list-row" key=${each.id}>
          <p class="grow"><strong>${each.label}</strong> <span class="muted small">${tr("made {when}", { when: dateText(each.made) })}</span></p>
          <${Button} small aria-label=${tr("Remove {label}?", { label: each.label })} onPress=${() => setOpen(each)}>${tr("Remove ...")}<//>
        </li>`,
      )}
    </ul>`}
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    ${open === "email" && html`<${Email} ...${guarded} />`}
    ${open === "no email" &&
    html`<${Guarded} ...${guarded} title=${tr("Remove your e-mail address?")} action=${tr("Remove")} kind="danger"
      work=${(/** @type {string} */ current) => post(app, "/api/account/email", { email: null, current })}>
      <p>${tr("If you forget your password, only the host of the server can help you then.")}</p>
    <//>`}
    ${open === "off" &&
    html`<${Guarded} ...${guarded} title=${tr("Log in without a code?")} action=${tr("Turn off")} kind="danger"
      work=${(/** @type {string} */ current) => post(app, "/api/account/app/off", { current })}>
      <p>${tr("Your password is then enough to log in. Your recovery codes end.")}</p>
    <//>`}
    ${open === "passkey" && html`<${NewPasskey} ...${guarded} />`}
    ${typeof open === "object" && "uri" in open && html`<${AppCodes} ...${guarded} made=${open} onCodes=${setCodes} />`}
    ${typeof open === "object" &&
    "id" in open &&
    html`<${Confirm} title=${tr("Remove {label}?", { label: open.label })} action=${tr("Remove")} onClose=${close}
      work=${async () => (await post(app, "/api/account/passkeys/remove", { id: open.id }), again())}>
      <p>${tr("Nobody can log in with this passkey any more.")}</p>
    <//>`}
    ${codes.length > 0 &&
    html`<${SecretDialog} app=${app} title=${tr("Your recovery codes")} label=${tr("Your recovery codes")} secret=${codes.join(" ")} onClose=${() => setCodes([])}>
      <p>${tr("If you do not have your phone, type one of them in place of its code. Each works once.")}</p>
      <ul class="codes">${codes.map((code) => html`<li key=${code}>${code}</li>`)}</ul>
    <//>`}
  `;
}

/**
 * @param {{title: string, about: string, state: string | false, children?: import("preact").ComponentChildren}} props
 */
function Way({ title, about, state, children }) {
  return html`<div class="row apart way" role="group" aria-label=${title}>
    <div class="grow">
      <h3>${title}</h3>
      <p class="muted small">${about}</p>
      ${state && html`<p>${state}</p>`}
    </div>
    <div class="row">${children}</div>
  </div>`;
}

/**
 * Ask for the password before something that the login depends on changes.
 * @param {{app: App, account: AccountAnswer, title: string, action: string, work: (current: string) => Promise<unknown>,
 *   again: () => void, onClose: () => void, kind?: "primary" | "danger", disabled?: boolean,
 *   children?: import("preact").ComponentChildren}} props
 */
function Guarded({ account, title, action, work, again, onClose, kind = "primary", disabled = false, children }) {
  const [current, setCurrent] = useState("");
  const locked = account.has_password && !current;
  return html`<${Confirm} title=${title} action=${action} kind=${kind} disabled=${disabled || locked} onClose=${onClose}
    work=${async () => (await work(current), again())}>
    ${children}
    ${account.has_password &&
    html`<${Field} label=${tr("Current password")} name="current" type="password" value=${current} autocomplete="current-password" onInput=${setCurrent} />`}
  <//>`;
}

/** @param {{app: App, account: AccountAnswer, again: () => void, onClose: () => void}} props */
function Email(props) {
  const [email, setEmail] = useState("");
  const work = (/** @type {string} */ current) => post(props.app, "/api/account/email", { email: email.trim(), current });
  return html`<${Guarded} ...${props} title=${tr("E-mail address")} action=${tr("Send me a link")} disabled=${!email.includes("@")} work=${work}>
    <p>${tr("You get a mail with a link that confirms the address.")}</p>
    <${Field} label=${tr("E-mail address")} name="email" type="email" value=${email} maxlength=${254} autocomplete="email" onInput=${setEmail} />
  <//>`;
}

/**
 * @param {{app: App, account: AccountAnswer, again: () => void, onClose: () => void, made: AppKeyAnswer,
 *   onCodes: (codes: string[]) => void}} props
 */
function AppCodes({ made, onCodes, ...props }) {
  const [code, setCode] = useState("");
  const work = async (/** @type {string} */ current) =>
    onCodes((await post(props.app, "/api/account/app/on", { key: made.key, code, current })).codes);
  return html`<${Guarded} ...${props} title=${tr("Code from an app")} action=${tr("Turn on")} disabled=${!code.trim()} work=${work}>
    <p>${tr("Scan this picture with an app for login codes on your phone, or type the key into it.")}</p>
    <${Qr} text=${made.uri} label=${tr("QR code of the link")} />
    <p><code class="secret">${made.key}</code></p>
    <${Field} label=${tr("The code that the app shows")} name="code" value=${code} maxlength=${20} inputmode="numeric" autocomplete="one-time-code" onInput=${setCode} />
  <//>`;
}

/** @param {{app: App, account: AccountAnswer, again: () => void, onClose: () => void}} props */
function NewPasskey(props) {
  const [label, setLabel] = useState(() => deviceLabel(navigator.userAgent));
  const work = async (/** @type {string} */ current) => {
    const { options } = await post(props.app, "/api/account/passkeys/options", { current });
    const credential = await askPasskey("create", options);
    await post(props.app, "/api/account/passkeys/new", { credential, label: label.trim() });
  };
  return html`<${Guarded} ...${props} title=${tr("New passkey")} action=${tr("Add")} disabled=${!label.trim()} work=${work}>
    <${Field} label=${tr("Name")} name="label" value=${label} maxlength=${60} onInput=${setLabel} />
  <//>`;
}
