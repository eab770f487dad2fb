// What a visitor sees before a room: a field for the name or the code, or what went wrong.

import { useEffect, useState } from "preact/hooks";

import { html } from "../../html.js";
import { tr } from "../../texts.js";
import { Button } from "../../widgets/button.js";
import { Field } from "../../widgets/field.js";
import { NameForm } from "../../widgets/name-form.js";
import { Terms } from "../../widgets/terms.js";
import { SameMatch } from "../common/same-match.js";
import { useAnswer } from "../common/load.js";
import { ProblemPage } from "../problem.js";

/** @typedef {import("./visit.js").RoomVisit} RoomVisit */
/** @typedef {import("../../types/api.js").Invitation} Invitation */

/** @param {{visit: RoomVisit}} props */
export function NameCard({ visit }) {
  const { app, id, code } = visit;
  const found = useAnswer(`/api/invitations/${encodeURIComponent(id)}`, { code }).value;
  const [busy, setBusy] = useState(false);
  if (found?.state === "closed") return html`<${Gone} visit=${visit} />`;
  const players = /** @type {Invitation["players"]} */ (found?.players ?? []);
  const [host = "", other = ""] = players.flatMap((player) => player?.name ?? []);
  const waits = found === null || found.state === "open";
  let title = code ? tr("You are invited to a match") : tr("A room for two players");
  if (host && waits) {
    title = code ? tr("{name} invites you to a match", { name: host }) : tr("{name} waits for an opponent", { name: host });
  } else if (other) title = tr("{first} against {second}", { first: host, second: other });
  const watch = async () => {
    setBusy(true);
    visit.wish = "watch";
    try {
      await app.connect();
    } catch (error) {
      visit.wish = "join";
      app.complain(error);
    } finally {
      setBusy(false);
    }
  };
  const watchOnly = html`<${Button} busy=${busy} onPress=${watch}>${tr("Watch only")}<//>`;
  return html`
    <div class="page narrow">
      <section class="card stack invitation">
        <h1>${title}</h1>
        ${found === null
          ? html`<p class="muted">${tr("Choose the name that others will see.")}</p>`
          : html`<${Terms} app=${app} settings=${found.settings} name=${host} seat=${waits ? found.seat : undefined} />`}
        ${waits
          ? html`<${NameForm} app=${app} action=${tr("Join")} secondary=${watchOnly} />`
          : html`<p>${tr("The match has begun, and both seats are taken.")}</p>
              <${Button} kind="primary" busy=${busy} onPress=${watch}>${tr("Watch")}<//>`}
      </section>
    </div>
  `;
}

/** @param {{visit: RoomVisit, wrong: boolean}} props */
export function CodeCard({ visit, wrong }) {
  const [code, setCode] = useState("");
  const [edited, setEdited] = useState(false);
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (code.trim()) void visit.useCode(code.trim());
  };
  const wrongCode = tr("This code is wrong. Check it with the person who sent it.");
  const problem = wrong && !edited ? wrongCode : "";
  return html`
    <div class="page narrow">
      <form class="card stack" onSubmit=${submit}>
        <h1>${tr("This room is private")}</h1>
        <p class="muted">${tr("Enter its code, or open the whole link that you have received.")}</p>
        <${Field} label=${tr("Code")} name="code" value=${code} problem=${problem} autofocus
          maxlength=${64} onInput=${(/** @type {string} */ text) => {
            setEdited(true);
            setCode(text);
          }} />
        <div class="row">
          <${Button} kind="primary" type="submit">${tr("Open the room")}<//>
          <a class="button" href="/">${tr("Lobby")}</a>
        </div>
      </form>
    </div>
  `;
}

/** @param {{visit: RoomVisit, code: string, detail: string}} props */
export function ProblemView({ visit, code, detail }) {
  const { app } = visit;
  useEffect(() => app.setTitle(tr("Room")), []);
  if (code === "unknown_room") return html`<${Gone} visit=${visit} />`;
  if (code === "room_full") return html`<${ProblemPage} app=${app} kind="full" />`;
  return html`
    <div class="page narrow">
      <section class="card stack">
        <h1>${tr("The room could not be opened")}</h1>
        <p>${detail}</p>
        <div class="row">
          <${Button} kind="primary" onPress=${() => visit.watch()}>${tr("Try again")}<//>
          <a class="button" href="/">${tr("Lobby")}</a>
        </div>
      </section>
    </div>
  `;
}

/**
 * A room that is gone; one that closed lately still says what was to be played.
 * @param {{visit: RoomVisit}} props
 */
function Gone({ visit: { app, id, code } }) {
  const { value, error } = useAnswer(`/api/invitations/${encodeURIComponent(id)}`, { code });
  const found = /** @type {Invitation | null} */ (value);
  if (found === null) return error && html`<${ProblemPage} app=${app} kind="room" />`;
  return html`<div class="page narrow"><section class="card stack">
    <h1>${tr("This room is closed")}</h1>
    <p>${tr("The person who invited you has left before somebody came.")}</p>
    <${Terms} app=${app} settings=${found.settings} name="" />
    <${SameMatch} app=${app} settings=${found.settings} />
  </section></div>`;
}
