// A room that waits for a second player: the link for its owner, and a question for a visitor.

import { useState } from "preact/hooks";

import { outer } from "../../address.js";
import { html } from "../../html.js";
import { roomPath } from "../../models/addresses.js";
import { byDays, timeLine } from "../../models/room/words.js";
import { parts, tr } from "../../texts.js";
import { Button } from "../../widgets/button.js";
import { Share } from "../../widgets/share.js";
import { Terms } from "../../widgets/terms.js";
import { SameMatch } from "../common/same-match.js";
import { refusal } from "./requests.js";

/** @typedef {import("./controller.js").RoomController} RoomController */

/** @param {{room: RoomController}} props */
export function WaitingView({ room }) {
  room.version.value;
  const { model, text } = room;
  const { settings } = model.mirror;
  const about = [timeLine(settings.time), settings.rated ? tr("rated") : tr("casual")];
  if (settings.evaluation) about.push(tr("spectators see who is ahead"));
  const { watching } = model.seats;
  return html`
    <div class="page narrow room-waiting">
      ${!watching && html`<p class="room-waiting-about"><strong>${text.title}</strong> · ${about.join(" · ")}</p>`}
      <section class="card stack">
        ${watching ? html`<${Invitation} room=${room} />` : html`<${OwnRoom} room=${room} />`}
      </section>
    </div>
  `;
}

/** @param {{room: RoomController}} props */
function OwnRoom({ room }) {
  room.version.value;
  const { mirror } = room.model;
  const link = location.origin + outer(roomPath(mirror.room, mirror.code));
  return html`
    <h1>${tr("Waiting for an opponent")}</h1>
    <p class="muted">
      ${mirror.private
        ? tr("Send this link to your opponent. Only people who have it can join.")
        : tr("Anybody in the lobby can join. You can also send this link.")}
    </p>
    ${byDays(mirror.settings.time) && html`<p>${tr("You can go away: the room waits for 14 days, and the number of games that wait for you says when it is your turn.")}</p>`}
    <${Share} app=${room.app} url=${link} title=${tr("Play {game}", { game: room.text.title })} />
    ${mirror.code &&
    html`<p class="muted">
        ${parts("Room {room}, code {code}", {
          room: html`<b class="room-word">${mirror.room}</b>`,
          code: html`<b class="room-word">${mirror.code}</b>`,
        })}
      </p>`}
    <div class="row">
      <button type="button" class="button" onClick=${() => room.leave()}>${tr("Close the room")}</button>
    </div>
  `;
}

/** @param {{room: RoomController}} props */
function Invitation({ room }) {
  room.version.value;
  const { mirror } = room.model;
  const [watches, setWatches] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const host = mirror.players.find((player) => player != null)?.name ?? tr("Somebody");
  const join = async () => {
    setBusy(true);
    setProblem("");
    try {
      await room.app.request({ type: "join_room", room: room.id, code: mirror.code });
    } catch (error) {
      setProblem(refusal(error).sentence);
      setBusy(false);
    }
  };
  return html`
    <h1>${tr("{name} waits for an opponent", { name: host })}</h1>
    <${Terms} app=${room.app} settings=${mirror.settings} name=${host} seat=${mirror.players[0] == null ? 0 : 1} />
    ${watches && html`<p class="muted">${tr("You watch. The board appears when the match begins.")}</p>`}
    <div class="row">
      <${Button} kind=${watches ? undefined : "primary"} busy=${busy} onPress=${join}>
        ${busy ? tr("Joining ...") : tr("Join as {name}", { name: room.app.me.value })}
      <//>
      <${Button} disabled=${busy || watches} onPress=${() => setWatches(true)}>
        ${watches ? tr("Watching") : tr("Watch")}
      <//>
      <a class="button quiet" href="/">${tr("Lobby")}</a>
    </div>
    ${problem ? html`<p class="problem" role="alert">${problem}</p>` : null}
  `;
}

/** @param {{room: RoomController}} props */
export function ClosedView({ room }) {
  room.version.value;
  return html`
    <div class="page narrow">
      <section class="card stack">
        <h1>${tr("This room is closed")}</h1>
        <p>${room.model.mirror.sentence || tr("Its owner has left before a match began.")}</p>
        <${SameMatch} app=${room.app} settings=${room.model.mirror.settings} />
      </section>
    </div>
  `;
}
