// The player's account at /account: log in, set a password, logins, tokens and bots, log out.

import { useState } from "preact/hooks";

import { LinkError } from "../core/errors.js";
import { runningGames } from "../app/elsewhere.js";
import { forgetPush } from "../app/push.js";
import { readAccount } from "../app/rights.js";
import { html } from "../html.js";
import { ratingText } from "../models/rating.js";
import { knownTitle } from "../models/title.js";
import { ApiError, getJson } from "../net/api.js";
import { parts, tr } from "../texts.js";
import { Button, LinkButton } from "../widgets/button.js";
import { NameForm } from "../widgets/name-form.js";
import { Notice } from "../widgets/notice.js";
import { Bots } from "./account/bots.js";
import { OwnData } from "./account/data.js";
import { LAST_NAME, LoginForm, TokenForm } from "./account/login.js";
import { PasswordForm } from "./account/password.js";
import { Forgotten, Linked } from "./account/recovery.js";
import { Logins, Tokens } from "./account/tokens.js";
import { Ways } from "./account/ways.js";
import { Shown, useLoaded } from "./common/load.js";
import { Name, PageHead, Tiles, When, useTitle } from "./common/parts.js";

/** @typedef {import("../app/app.js").App} App */
/** @import { AccountAnswer, PlayerAnswer, RatingCourse, TokenAnswer } from "../types/api.js" */
/** @typedef {{account: AccountAnswer, tokens: TokenAnswer[], ratings: RatingCourse[]}} Found */

/** How many ratings the head of the page has. */
const RATINGS = 4;

/** @param {{app: App}} props */
export function AccountPage({ app }) {
  useTitle(app, tr("Account"));
  app.topics.of("link").value;
  const { known } = app;
  const [, kind = "", link = ""] = /^#(reset|confirm|turns)=(.+)$/.exec(app.route.value.hash) ?? [];
  const revoked = app.link.ending === "revoked";
  return html`<div class="page">
    <${PageHead}
      title=${tr("Account")}
      about=${!known.value && tr("With an account your name, games and ratings are yours on every device.")}
    />
    ${kind
      ? html`<${Linked} key=${link} app=${app} kind=${kind} link=${link} />`
      : revoked
      ? html`<${LogIn} app=${app} sentence=${app.link.sentence} />`
      : known.value
        ? html`<${Known} key=${app.me.value} app=${app} />`
        : html`<${Visitor} app=${app} />`}
  </div>`;
}

/** @param {{app: App, sentence?: string}} props */
function LogIn({ app, sentence = "" }) {
  return html`<section class="card stack">
    <h2>${tr("Log in")}</h2>
    ${sentence && html`<${Notice} kind="bad">${sentence}<//>`}
    <${LoginForm} app=${app} autofocus />
    <${Forgotten} />
    <details>
      <summary>${tr("Log in with a token")}</summary>
      <${TokenForm} app=${app} />
    </details>
  </section>`;
}

/** @param {{app: App}} props */
function Visitor({ app }) {
  return html`<div class="columns">
    <${LogIn} app=${app} />
    <section class="card stack">
      <h2>${tr("New here?")}</h2>
      <p>${tr("Choose a name. You can play at once, and keep the name with a password when you like.")}</p>
      <${NameForm} app=${app} action=${tr("Continue")} autofocus=${false} />
    </section>
  </div>`;
}

/** @param {{app: App}} props */
function Known({ app }) {
  const load = async (/** @type {AbortSignal} */ signal) => {
    try {
      // A new name has a token only after the welcome.
      if (app.identity.token === null) await app.connect();
    } catch (error) {
      throw error instanceof LinkError ? new ApiError(0, error.sentence) : error;
    }
    const account = await readAccount(app, signal);
    const asked = { token: app.identity.token, signal };
    const { tokens } = account.session ? await getJson("/api/account/tokens", {}, asked) : { tokens: [] };
    /** @type {PlayerAnswer} */
    const player = await getJson(`/api/players/${encodeURIComponent(account.name)}`, {}, { signal });
    return { account, tokens, ratings: player.ratings };
  };
  app.topics.of("link").value;
  // Another login of the same player has other rights.
  const loaded = useLoaded(load, `account ${app.identity.token}`);
  const { error, again } = loaded;
  if (error?.status === 401) return html`<${LogIn} app=${app} sentence=${error.sentence} />`;
  return html`<${Shown} app=${app} loaded=${loaded} what=${tr("your account")}>
    ${(/** @type {Found} */ found) => (found.account.claimed
      ? html`<${Mine} app=${app} ...${found} again=${again} />`
      : html`<${Guest} app=${app} ...${found} again=${again} />`)}
  <//>`;
}

/**
 * Who somebody is, with the ratings of what was played most.
 * @param {{account: AccountAnswer, ratings: RatingCourse[], about: import("preact").ComponentChildren,
 *   children: import("preact").ComponentChildren}} props
 */
function Who({ account, ratings, about, children }) {
  const most = [...ratings].sort((one, other) => other.games - one.games).slice(0, RATINGS);
  return html`<section class="card stack account-head">
    <div class="row apart">
      <div class="grow">
        <h2><${Name} name=${account.name} /> ${account.admin && html`<span class="badge open">${tr("Admin")}</span>`}</h2>
        <p class="muted small">${about}</p>
      </div>
      <div class="row"><${LinkButton} href="/me">${tr("My games")}<//> ${children}</div>
    </div>
    ${most.length > 0 &&
    html`<${Tiles} facts=${most.map((each) => ({ label: knownTitle(each.title), value: ratingText(each) }))} />
      ${most.some((each) => each.provisional) && html`<p class="muted small">${tr("? means provisional: too few games support this rating yet.")}</p>`}`}
  </section>`;
}

/** @param {Found & {app: App, again: () => void}} props */
function Guest({ app, account, ratings, again }) {
  const done = () => {
    app.identity.claim();
    app.storage.set(LAST_NAME, account.name);
    app.notify(tr("The name {name} is yours now.", { name: account.name }), { kind: "good" });
    again();
  };
  const [asked, setAsked] = useState(false);
  const guest = parts("You play as the guest {name}.", { name: html`<strong>${account.name}</strong>` });
  return html`<${Who} account=${account} ratings=${ratings} about=${guest} />
  <div class="columns">
    <section class="card stack">
      <h2>${tr("Keep your name")}</h2>
      <ul class="points">
        <li>${tr("Only this browser knows you. If it forgets its data, the name is lost.")}</li>
        <li>${tr("With a password you can log in anywhere: your games and ratings stay.")}</li>
        <li>${tr("You can make tokens for programs, and run bots of your own.")}</li>
      </ul>
      ${asked
        ? html`<${PasswordForm} app=${app} account=${account} action=${tr("Set the password")} autofocus onDone=${done} />`
        : html`<div class="row"><${Button} kind="primary" onPress=${() => setAsked(true)}>${tr("Choose a password")}<//></div>`}
    </section>
    <div class="stack">
      <details class="card">
        <summary>${tr("I have an account already")}</summary>
        <${LoginForm} app=${app} />
      </details>
      <${OwnData} app=${app} account=${account} onDeleted=${() => forget(app)} />
    </div>
  </div>`;
}

/** @param {Found & {app: App, again: () => void}} props */
function Mine({ app, account, tokens, ratings, again }) {
  const done = () => {
    const changed = tr("Your password is changed. All other logins have ended.");
    app.notify(account.has_password ? changed : tr("You can log in with your password now."), { kind: "good" });
    again();
  };
  const since = parts("since {when}", { when: html`<${When} ms=${account.created_ms} />` });
  return html`<${Who} account=${account} ratings=${ratings} about=${since}>
    ${account.session && html`<${LinkButton} href="/classes">${tr("Classes")}<//>`}
    ${app.admin.value && html`<${LinkButton} href="/admin">${tr("Administration")}<//>`}
    <${LogOut} app=${app} />
  <//>
  <div class="columns">
    ${!account.session &&
    html`<section class="card stack">
      <${Notice}>${tr("This browser uses the token of a program. Log in with your password to manage the account.")}<//>
      <${LoginForm} app=${app} />
    </section>`}
    ${account.session &&
    html`<${Ways} app=${app} account=${account} />
      <${Logins} app=${app} tokens=${tokens} again=${again} onSignOut=${() => logOut(app, "/api/account/sign-out")} />
      <${Tokens} app=${app} account=${account} tokens=${tokens} again=${again} />
      <${Bots} app=${app} account=${account} again=${again} />
      <details class="card" open=${!account.has_password}>
        <summary>${account.has_password ? tr("Change the password") : tr("Set a password to log in anywhere")}</summary>
        <${PasswordForm}
          app=${app}
          account=${account}
          action=${account.has_password ? tr("Change the password") : tr("Set the password")}
          onDone=${done}
        />
      </details>
      <${OwnData} app=${app} account=${account} onDeleted=${() => forget(app)} />`}
  </div>`;
}

/**
 * Go on as a visitor, because the account is gone.
 * @param {App} app
 */
function forget(app) {
  app.identity.forget();
  app.link.leave();
  app.storage.set(LAST_NAME, undefined);
  app.notify(tr("Your account is deleted."), { kind: "good" });
  app.navigate("/");
}

/** @param {{app: App}} props */
function LogOut({ app }) {
  app.topics.of("rooms").value;
  const playing = runningGames(app.session.rooms.values()).length > 0;
  if (playing) return html`<p class="hint">${tr("Finish your match before you log out.")}</p>`;
  return html`<${Button} onPress=${() => void logOut(app).catch((error) => app.complain(error))}>${tr("Log out")}<//>`;
}

/**
 * Forget the login here and end it on the server. When the server cannot be asked, it stays.
 * @param {App} app
 * @param {string} [path] what ends it
 */
async function logOut(app, path = "/api/account/tokens/revoke") {
  const { identity, link } = app;
  const { name, token } = identity;
  // The server would disconnect this page, and the page would say that its login has ended.
  identity.forget();
  link.leave();
  try {
    await getJson(path, {}, { token, body: {} });
  } catch (error) {
    // A login that has ended already is what we want.
    if (!(error instanceof ApiError && error.status === 401)) {
      identity.keep(name ?? "", token ?? "");
      identity.claim();
      link.start();
      throw error;
    }
  }
  // The server has forgotten it with the login.
  void forgetPush(window).catch(() => {});
  app.storage.set(LAST_NAME, undefined);
  app.notify(tr("You are logged out. Goodbye, {name}.", { name: name ?? "" }), { kind: "good" });
  app.navigate("/");
}
