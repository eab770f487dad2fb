// Log in with the name and the password of an account.

import { useState } from "preact/hooks";

import { runningGames } from "../../app/elsewhere.js";
import { readAccount } from "../../app/rights.js";
import { html } from "../../html.js";
import { deviceLabel, wayBack } from "../../models/account.js";
import { getJson } from "../../net/api.js";
import { tr } from "../../texts.js";
import { Button } from "../../widgets/button.js";
import { Field, Switch } from "../../widgets/field.js";
import { useWork } from "./asking.js";

/** @typedef {import("../../app/app.js").App} App */

/** Where the browser keeps the name of the last login. */
export const LAST_NAME = "login";

/** @param {{app: App, autofocus?: boolean}} props */
export function LoginForm({ app, autofocus = false }) {
  const [name, setName] = useState(() => String(app.storage.get(LAST_NAME) ?? ""));
  const [password, setPassword] = useState("");
  const [shown, setShown] = useState(false);
  const [missing, setMissing] = useState("");
  const { busy, problem, run, clear } = useWork();
  app.topics.of("rooms").value;
  const me = app.me.value;
  const other = me !== "" && name.trim() !== "" && me.toLowerCase() !== name.trim().toLowerCase();
  const playing = other && runningGames(app.session.rooms.values()).length > 0;
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const wrong = !name.trim() ? "name" : !password ? "password" : "";
    setMissing(wrong);
    if (wrong || playing) return;
    void run(async () => {
      const label = deviceLabel(navigator.userAgent);
      /** @type {import("../../types/api.js").IssuedAnswer} */
      const issued = await getJson("/api/login", {}, { body: { name: name.trim(), password, label } });
      await app.enter(issued.secret);
      app.storage.set(LAST_NAME, issued.token.player);
      await readAccount(app);
      app.notices.close("forgotten");
      app.notify(tr("You are logged in as {name}.", { name: issued.token.player }), { kind: "good" });
      const back = wayBack(app.route.peek().hash);
      if (back) app.navigate(back, { replace: true });
    });
  };
  const typed = (/** @type {(text: string) => void} */ set) => (/** @type {string} */ text) => {
    set(text);
    setMissing("");
    clear();
  };
  return html`<form class="stack login-form" novalidate onSubmit=${submit}>
    <${Field}
      label=${tr("Name")}
      name="username"
      value=${name}
      maxlength=${64}
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
      problem=${missing === "password" ? tr("Type your password.") : problem}
      onInput=${typed(setPassword)}
    />
    <${Switch} label=${tr("Show the password")} checked=${shown} onChange=${setShown} />
    ${other &&
    html`<p class="hint">
      ${playing
        ? tr("Finish your match as {name} first.", { name: me })
        : tr("This browser then forgets the key to the name {name}.", { name: me })}
    </p>`}
    <div class="row"><${Button} kind="primary" type="submit" busy=${busy} disabled=${playing}>${tr("Log in")}<//></div>
  </form>`;
}
