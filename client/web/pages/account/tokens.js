// The logins of a person, and the tokens of programs: see them, make new ones, end them.

import { useState } from "preact/hooks";

import { html } from "../../html.js";
import { DAYS, scopeTitle, scopesOf, tokenLine } from "../../models/account.js";
import { plural, tr } from "../../texts.js";
import { Button } from "../../widgets/button.js";
import { Select } from "../../widgets/choice.js";
import { Dialog } from "../../widgets/dialog.js";
import { Field, Switch } from "../../widgets/field.js";
import { List } from "../../widgets/list.js";
import { useWork } from "../../widgets/work.js";
import { Confirm, post } from "./asking.js";
import { SecretDialog } from "./secret.js";

/** @typedef {import("../../app/app.js").App} App */
/** @import { AccountAnswer, IssuedAnswer, TokenAnswer } from "../../types/api.js" */

/** @param {{app: App, tokens: readonly TokenAnswer[], again: () => void, onSignOut: () => Promise<void>}} props */
export function Logins({ app, tokens, again, onSignOut }) {
  const [leaving, setLeaving] = useState(false);
  const [ending, setEnding] = useState(/** @type {readonly TokenAnswer[]} */ ([]));
  const sessions = tokens.filter((token) => token.kind === "session");
  const others = sessions.filter((token) => !token.current);
  return html`<section class="card stack">
    <h2>${tr("Where you are logged in")}</h2>
    <${List}
      label=${tr("Logins")}
      items=${sessions}
      keyOf=${(/** @type {TokenAnswer} */ token) => token.token_id}
      row=${(/** @type {TokenAnswer} */ token) => html`<${Line} token=${token} onEnd=${() => setEnding([token])} />`}
    />
    <div class="row">
      ${others.length > 1 && html`<${Button} kind="danger" onPress=${() => setEnding(others)}>${tr("End all others")}<//>`}
      <${Button} onPress=${() => setLeaving(true)}>${tr("Sign out everywhere ...")}<//>
    </div>
    ${leaving &&
    html`<${Confirm} title=${tr("Sign out everywhere?")} action=${tr("Log out")} work=${onSignOut} onClose=${() => setLeaving(false)}>
      <p>${tr("All your logins end, also this one. Whoever plays there is disconnected. Tokens for programs stay.")}</p>
    <//>`}
    <${Ending} app=${app} tokens=${ending} onClose=${() => setEnding([])} again=${again} />
  </section>`;
}

/** @param {{app: App, account: AccountAnswer, tokens: readonly TokenAnswer[], again: () => void}} props */
export function Tokens({ app, account, tokens, again }) {
  const [ending, setEnding] = useState(/** @type {readonly TokenAnswer[]} */ ([]));
  const [making, setMaking] = useState(false);
  const ofPrograms = tokens.filter((token) => token.kind === "api");
  return html`<section class="card stack">
    <h2>${tr("Tokens for programs")}</h2>
    <p class="muted">
      ${tr("A program or a bot uses a token instead of your password. It may do only what you allow, until it ends.")}
    </p>
    <${List}
      label=${tr("Tokens for programs")}
      items=${ofPrograms}
      keyOf=${(/** @type {TokenAnswer} */ token) => token.token_id}
      row=${(/** @type {TokenAnswer} */ token) =>
        html`<${Line} token=${token} me=${account.name} onEnd=${() => setEnding([token])} />`}
      empty=${tr("No program has a token.")}
    />
    <div class="row">
      <${Button} onPress=${() => setMaking(true)}>${tr("New token ...")}<//>
      ${ofPrograms.length > 1 &&
      html`<${Button} kind="danger" onPress=${() => setEnding(ofPrograms)}>${tr("End all of them")}<//>`}
    </div>
    ${making && html`<${NewToken} app=${app} account=${account} again=${again} onClose=${() => setMaking(false)} />`}
    <${Ending} app=${app} tokens=${ending} onClose=${() => setEnding([])} again=${again} />
  </section>`;
}

/** @param {{token: TokenAnswer, me?: string, onEnd: () => void}} props */
function Line({ token, me = token.player, onEnd }) {
  return html`<div class="grow">
      <p>
        <strong>${token.label}</strong>
        ${token.player !== me && html` <span class="badge">${token.player}</span>`}
        ${token.current && html` <span class="badge good">${tr("this browser")}</span>`}
      </p>
      <p class="muted small">${tokenLine(token)}</p>
    </div>
    ${!token.current &&
    html`<${Button} small aria-label=${tr("End {label}", { label: token.label })} onPress=${onEnd}>${tr("token|End")}<//>`}`;
}

/** @param {{app: App, tokens: readonly TokenAnswer[], onClose: () => void, again: () => void}} props */
function Ending({ app, tokens, onClose, again }) {
  const [first] = tokens;
  if (first === undefined) return null;
  const work = async () => {
    try {
      for (const { token_id } of tokens) await post(app, "/api/account/tokens/revoke", { token_id });
    } finally {
      again();
    }
  };
  const session = first.kind === "session";
  const title =
    tokens.length === 1
      ? tr("End {label}?", { label: first.label })
      : session
        ? plural("End {n} login?", "End {n} logins?", tokens.length)
        : plural("End {n} token?", "End {n} tokens?", tokens.length);
  return html`<${Confirm} title=${title} action=${tr("token|End")} work=${work} onClose=${onClose}>
    <p>
      ${session
        ? tr("Whoever plays there is disconnected and has to log in again.")
        : tr("Programs that use it are disconnected. This cannot be undone.")}
    </p>
  <//>`;
}

/**
 * @param {{app: App, account: AccountAnswer, bot?: string, again: () => void, onClose: () => void}} props
 *   `bot`: the name of the bot that is chosen at first
 */
export function NewToken({ app, account, bot = "", again, onClose }) {
  const [player, setPlayer] = useState(bot);
  const [label, setLabel] = useState("");
  const [days, setDays] = useState("90");
  const allowed = scopesOf(player !== "", account.admin);
  const [chosen, setChosen] = useState(/** @type {readonly string[]} */ ([allowed[0]]));
  const [issued, setIssued] = useState(/** @type {IssuedAnswer | null} */ (null));
  const [missing, setMissing] = useState(false);
  const { busy, problem, run } = useWork();
  const scopes = allowed.filter((scope) => chosen.includes(scope));
  const submit = () => {
    setMissing(!label.trim());
    if (!label.trim() || !scopes.length) return;
    void run(async () => {
      const about = { label: label.trim(), scopes, days: Number(days), ...(player ? { player } : {}) };
      setIssued(await post(app, "/api/account/tokens/new", about));
      again();
    });
  };
  if (issued !== null) {
    return html`<${SecretDialog}
      app=${app}
      title=${tr("The new token")}
      label=${tr("Token")}
      secret=${issued.secret}
      onClose=${onClose}
    >
      <p class="hint">${tr("Programs send it in their hello, or over HTTP as “Authorization: Bearer TOKEN”.")}</p>
    <//>`;
  }
  return html`<${Dialog}
    title=${tr("New token")}
    action=${tr("Make the token")}
    busy=${busy}
    problem=${problem || (scopes.length ? "" : tr("Allow at least one thing."))}
    onClose=${onClose}
    onSubmit=${submit}
  >
    <${Field}
      label=${tr("What it is for")}
      name="label"
      value=${label}
      maxlength=${60}
      problem=${missing && !label.trim() ? tr("Write what the token is for, such as the name of the program.") : ""}
      onInput=${setLabel}
    />
    ${account.bots.length > 0 &&
    html`<${Select}
      label=${tr("Who uses it")}
      value=${player}
      options=${[{ value: "", title: account.name }, ...account.bots.map((name) => ({ value: name, title: name }))]}
      onChange=${(/** @type {string} */ name) => {
        setPlayer(name);
        setChosen([scopesOf(name !== "", account.admin)[0]]);
      }}
    />`}
    <fieldset class="choice">
      <legend class="label">${tr("What it allows")}</legend>
      ${allowed.map(
        (scope) => html`<${Switch}
          key=${scope}
          label=${scopeTitle(scope)}
          checked=${chosen.includes(scope)}
          onChange=${(/** @type {boolean} */ on) =>
            setChosen(on ? [...chosen, scope] : chosen.filter((each) => each !== scope))}
        />`,
      )}
    </fieldset>
    <${DaysSelect} value=${days} onChange=${setDays} />
  <//>`;
}

/** @param {{value: string, onChange: (days: string) => void}} props */
export function DaysSelect({ value, onChange }) {
  return html`<${Select}
    label=${tr("It ends after")}
    value=${value}
    options=${DAYS.map((days) => ({ value: `${days}`, title: plural("1 day", "{n} days", days) }))}
    onChange=${onChange}
  />`;
}
