// Choose a password, twice: a guest becomes an account, or an account gets another password.

import { useState } from "preact/hooks";

import { html } from "../../html.js";
import { passwordProblems } from "../../models/account.js";
import { tr } from "../../texts.js";
import { Button } from "../../widgets/button.js";
import { Field, Switch } from "../../widgets/field.js";
import { useWork } from "../../widgets/work.js";
import { post } from "./asking.js";

/** @typedef {import("../../types/api.js").AccountAnswer} AccountAnswer */

/**
 * `send` posts the new password, by default as that of this player.
 * @param {{app: import("../../app/app.js").App, account: Pick<AccountAnswer, "name" | "has_password">, action: string,
 *   autofocus?: boolean, onDone: () => void, send?: (password: string) => Promise<unknown>}} props
 */
export function PasswordForm({ app, account, action, autofocus = false, onDone, send }) {
  const [current, setCurrent] = useState("");
  const [password, setPassword] = useState("");
  const [again, setAgain] = useState("");
  const [shown, setShown] = useState(false);
  const [wrong, setWrong] = useState({ password: "", again: "" });
  const { busy, problem, code, run, clear } = useWork();
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const problems = passwordProblems(password, again);
    setWrong(problems);
    if (problems.password || problems.again) return;
    void run(async () => {
      const given = account.has_password ? { current } : {};
      await (send?.(password) ?? post(app, "/api/account/password", { password, ...given }));
      for (const set of [setCurrent, setPassword, setAgain]) set("");
      onDone();
    });
  };
  const typed = (/** @type {(text: string) => void} */ set) => (/** @type {string} */ text) => {
    set(text);
    setWrong({ password: "", again: "" });
    clear();
  };
  const type = shown ? "text" : "password";
  // The server's sentence stands at the field that it is about.
  const weak = problem !== "" && code !== "bad_login" ? problem : "";
  return html`<form class="stack" novalidate onSubmit=${submit}>
    <input type="text" hidden readonly autocomplete="username" value=${account.name} />
    ${account.has_password &&
    html`<${Field}
      label=${tr("Current password")}
      name="current"
      type=${type}
      value=${current}
      autocomplete="current-password"
      problem=${code === "bad_login" ? problem : ""}
      onInput=${typed(setCurrent)}
    />`}
    <${Field}
      label=${account.has_password ? tr("New password") : tr("Password")}
      name="new-password"
      type=${type}
      value=${password}
      autocomplete="new-password"
      autofocus=${autofocus}
      hint=${tr("A few words that nobody guesses are good, and easy to remember.")}
      problem=${wrong.password || weak}
      onInput=${typed(setPassword)}
    />
    <${Field}
      label=${tr("The same password again")}
      name="again"
      type=${type}
      value=${again}
      autocomplete="new-password"
      problem=${wrong.again}
      onInput=${typed(setAgain)}
    />
    <${Switch} label=${tr("Show the passwords")} checked=${shown} onChange=${setShown} />
    <div class="row"><${Button} kind="primary" type="submit" busy=${busy}>${action}<//></div>
  </form>`;
}
