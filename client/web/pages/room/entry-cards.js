// What a visitor sees before a room: a field for the name or the code, or what went wrong.

import { useEffect, useState } from "preact/hooks";

import { html } from "../../html.js";
import { timeLine } from "../../models/room/words.js";
import { getJson } from "../../net/api.js";
import { tr } from "../../texts.js";
import { Button } from "../../widgets/button.js";
import { Field } from "../../widgets/field.js";
import { NameForm } from "../../widgets/name-form.js";
import { ProblemPage } from "../problem.js";

/** @typedef {import("./visit.js").RoomVisit} RoomVisit */
/** @typedef {import("../../types/wire.js").LobbyRoom} LobbyRoom */
/** @typedef {import("../../types/api.js").Rooms} Rooms */

/** @param {{visit: RoomVisit}} props */
export function NameCard({ visit }) {
  const { app, id, code } = visit;
  const found = usePublicRoom(app, code ? "" : id);
  const [busy, setBusy] = useState(false);
  const host = found?.players.find((player) => player != null)?.name;
  const waits = found === null || found.status === "waiting";
  const names = found?.players.map((player) => player?.name).filter(Boolean) ?? [];
  let title = code ? tr("You are invited to a match") : tr("A room for two players");
  if (host && waits) title = tr("{name} waits for an opponent", { name: host });
  else if (names.length > 1) title = tr("{first} against {second}", { first: names[0], second: names[1] });
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
          : html`<p class="muted">
              ${app.games.title(found.settings)} · ${timeLine(found.settings.time)}
            </p>`}
        ${waits
          ? html`<${NameForm} app=${app} action=${tr("Join")} secondary=${watchOnly} />`
          : html`<p>${tr("The match has begun, and both seats are taken.")}</p>
              <${Button} kind="primary" busy=${busy} onPress=${watch}>${tr("Watch")}<//>`}
      </section>
    </div>
  `;
}

/**
 * Return the public room with this id, or null if there is none; its game has its title by then.
 *
 * @param {import("../../app/app.js").App} app
 * @param {string} id
 * @returns {LobbyRoom | null}
 */
function usePublicRoom(app, id) {
  const [found, setFound] = useState(/** @type {LobbyRoom | null} */ (null));
  useEffect(() => {
    if (!id) return;
    const load = async () => {
      /** @type {[Rooms, unknown]} */
      const [{ rooms }] = await Promise.all([getJson("/api/rooms"), app.catalogue()]);
      setFound(rooms.find((each) => each.room === id) ?? null);
    };
    load().catch(
      // The card says less without it.
      () => {},
    );
  }, [id]);
  return found;
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
          maxlength="64" onInput=${(/** @type {string} */ text) => {
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
  if (code === "unknown_room") return html`<${ProblemPage} app=${app} kind="room" />`;
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
