// Log in with the name and the password of an account.

import { useState } from "preact/hooks";

import { runningGames } from "../../app/elsewhere.js";
import { readAccount } from "../../app/rights.js";
import { html } from "../../html.js";
import { deviceLabel, wayBack } from "../../models/account.js";
import { getJson } from "../../net/api.js";
import { askPasskey, hasPasskeys } from "../../net/passkeys.js";
import { tr } from "../../texts.js";
import { Button } from "../../widgets/button.js";
import { Field, MOST_NAME, Switch } from "../../widgets/field.js";
import { useWork } from "../../widgets/work.js";

/** @typedef {import("../../app/app.js").App} App */
/** @import { IssuedAnswer } from "../../types/api.js" */

/** Where the browser keeps the name of the last login. */
export const LAST_NAME = "login";

/**
 * Lead back to the page from which the login was opened, as the player who is connected now.
 * @param {App} app
 * @param {string} name
 */
async function entered(app, name) {
  app.storage.set(LAST_NAME, name);
  await readAccount(app);
  app.notices.close("forgotten");
  app.notify(tr("You are logged in as {name}.", { name }), { kind: "good" });
  const back = wayBack(app.route.peek().hash);
  if (back) app.navigate(back, { replace: true });
}

/** @param {{app: App, autofocus?: boolean}} props */
export function LoginForm({ app, autofocus = false }) {
  const [name, setName] = useState(() => String(app.storage.get(LAST_NAME) ?? ""));
  const [password, setPassword] = useState("");
  const [shown, setShown] = useState(false);
  const [missing, setMissing] = useState("");
  const [code, setCode] = useState("");
  const [coded, setCoded] = useState(false);
  const { busy, problem, run, clear } = useWork();
  app.topics.of("rooms").value;
  const me = app.me.value;
  const other = me !== "" && name.trim() !== "" && me.toLowerCase() !== name.trim().toLowerCase();
  const inPlay = me !== "" && runningGames(app.session.rooms.values()).length > 0;
  const playing = other && inPlay;
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const wrong = !name.trim() ? "name" : !password ? "password" : "";
    setMissing(wrong);
    if (wrong || playing) return;
    void run(async () => {
      const label = deviceLabel(navigator.userAgent);
      const body = { name: name.trim(), password, label, ...(coded ? { code } : {}) };
      /** @type {IssuedAnswer | null} */
      const issued = await getJson("/api/login", {}, { body }).catch((error) => {
        if (error.code !== "code_needed") throw error;
        setCoded(true);
        return null;
      });
      if (issued) await begin(issued);
    });
  };
  const begin = async (/** @type {IssuedAnswer} */ issued) => {
    await app.enter(issued.secret);
    await entered(app, issued.token.player);
  };
  const withPasskey = () =>
    void run(async () => {
      const { options } = await getJson("/api/login/passkey/options", {}, { body: {} });
      const credential = await askPasskey("get", options);
      await begin(await getJson("/api/login/passkey", {}, { body: { credential, label: deviceLabel(navigator.userAgent) } }));
    });
  const typed = (/** @type {(text: string) => void} */ set) => (/** @type {string} */ text) => {
    set(text);
    setMissing("");
    setCoded(false);
    clear();
  };
  return html`<form class="stack login-form" novalidate onSubmit=${submit}>
    <${Field}
      label=${tr("Name")}
      name="username"
      value=${name}
      maxlength=${MOST_NAME}
      autocomplete="username"
      autofocus=${autofocus}
      problem=${missing === "name" ? tr("Type the name of your account.") : ""}
      onInput=${typed(setName)}
    />
    <${Field}
      label=${tr("Password")}
      name="password"
      type=${shown ? "text" : "password"}
      value=${password}
      autocomplete="current-password"
      problem=${missing === "password" ? tr("Type your password.") : coded ? "" : problem}
      onInput=${typed(setPassword)}
    />
    ${coded &&
    html`<${Field}
      label=${tr("Code")}
      name="code"
      value=${code}
      maxlength=${60}
      inputmode="text"
      autocomplete="one-time-code"
      autofocus
      hint=${tr("Type the code that the app on your phone shows, or one of your recovery codes.")}
      problem=${problem}
      onInput=${(/** @type {string} */ text) => (setCode(text), clear())}
    />`}
    <${Switch} label=${tr("Show the password")} checked=${shown} onChange=${setShown} />
    ${other &&
    html`<p class="hint">
      ${playing
        ? tr("Finish your match as {name} first.", { name: me })
        : tr("This browser then forgets the key to the name {name}.", { name: me })}
    </p>`}
    <div class="row">
      <${Button} kind="primary" type="submit" busy=${busy} disabled=${playing}>${tr("Log in")}<//>
      ${hasPasskeys() && html`<${Button} busy=${busy} disabled=${inPlay} onPress=${withPasskey}>${tr("Log in with a passkey")}<//>`}
    </div>
  </form>`;
}

/**
 * Log in with a token, such as the one that the host of the server gets for a new admin.
 * @param {{app: App}} props
 */
export function TokenForm({ app }) {
  const [token, setToken] = useState("");
  const { busy, problem, run, clear } = useWork();
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (!token.trim()) return;
    void run(async () => {
      const welcome = await app.enter(token.trim());
      await entered(app, welcome.player.name);
    });
  };
  return html`<form class="stack" novalidate onSubmit=${submit}>
    <${Field}
      label=${tr("Token")}
      name="token"
      type="password"
      value=${token}
      maxlength=${200}
      hint=${tr("The host gets one with doublecross admin register. Set a password then.")}
      problem=${problem}
      onInput=${(/** @type {string} */ text) => (setToken(text), clear())}
    />
    <div class="row"><${Button} type="submit" busy=${busy} disabled=${!token.trim()}>${tr("Log in with the token")}<//></div>
  </form>`;
}
