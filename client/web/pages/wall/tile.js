// One board of the wall: players, score and the current position of a room.

import { useEffect, useRef, useState } from "preact/hooks";

import { Board } from "../../board/board.js";
import { html } from "../../html.js";
import { NO_RESULT } from "../../models/room/words.js";
import { marksOf } from "../../models/room/words.js";
import { knownTitle } from "../../models/title.js";
import { tr } from "../../texts.js";

/** @typedef {import("../../app/app.js").App} App */
/** @typedef {import("../../core/room.js").RoomMirror} RoomMirror */
/** @typedef {import("../../types/api.js").GameGeometry} GameGeometry */
/** @typedef {import("./followed.js").Followed} Followed */

/** @param {{app: App, room: string, followed: Followed, onClosed: (room: string) => void}} props */
export function Tile({ app, room, followed, onClosed }) {
  const element = useRef(/** @type {HTMLLIElement | null} */ (null));
  const [geometry, setGeometry] = useState(/** @type {GameGeometry | null} */ (null));
  app.topics.of(`room:${room}`).value;
  const mirror = app.session.rooms.get(room);
  useEffect(() => {
    if (element.current === null) return undefined;
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) followed.want(room, () => onClosed(room));
      else followed.unwant(room);
    });
    observer.observe(element.current);
    return () => {
      observer.disconnect();
      followed.unwant(room);
    };
  }, [room]);
  const settings = mirror?.settings;
  useEffect(() => {
    if (settings === undefined) return undefined;
    let over = false;
    app.geometry(settings.game, settings.params).then(
      (found) => {
        if (!over) setGeometry(found);
      },
      () => {}, // the tile says that it loads; the next event tries again
    );
    return () => {
      over = true;
    };
  }, [settings]);
  return html`<li class="tile" ref=${element}>
    ${mirror === undefined || geometry === null
      ? html`<div class="tile-empty" aria-hidden="true"><span class="spinner"></span></div>`
      : html`<${Live} app=${app} mirror=${mirror} geometry=${geometry} followed=${followed} />`}
  </li>`;
}

/** @param {{app: App, mirror: RoomMirror, geometry: GameGeometry, followed: Followed}} props */
function Live({ mirror, geometry, followed }) {
  const { room, scores, toMove, result, board, moves, opening } = mirror;
  const names = mirror.players.map((player) => player?.name ?? tr("free seat"));
  const marks = marksOf(geometry, names[0], names[1]);
  const position = {
    cells: board.cells,
    legal: board.legal,
    winning: board.winning,
    played: [...opening, ...moves],
    last: moves.at(-1) ?? null,
    toMove,
  };
  const line = (/** @type {0 | 1} */ seat) => html`<span
    class=${`tile-seat seat${seat}${toMove === seat ? " to-move" : ""}${result?.winner === seat ? " won" : ""}`}
  >
    <span class="seat-mark small-mark" aria-hidden="true">${marks[seat]}</span>
    <bdi class="tile-name">${names[seat]}</bdi>
    <span class="numbers tile-score">${scores[seat]}</span>
  </span>`;
  const state =
    result === null
      ? mirror.status === "playing" ? "" : tr("waiting")
      : result.winner !== null
        ? tr("{name} won", { name: names[result.winner] })
        : NO_RESULT.includes(result.termination) ? tr("no result") : tr("draw");
  return html`<a
    class=${result === null ? "tile-link" : "tile-link over"}
    href=${`/room/${encodeURIComponent(room)}`}
    onClick=${() => followed.choose(room)}
  >
    ${line(0)} ${line(1)}
    <span class="tile-board">
      <${Board}
        geometry=${geometry}
        position=${position}
        seats=${[
          { name: names[0], initial: marks[0] },
          { name: names[1], initial: marks[1] },
        ]}
        mode="still"
        label=${tr("board")}
      />
    </span>
    <span class="tile-foot small muted">${knownTitle(geometry.title)}${state && html` · <strong>${state}</strong>`}</span>
  </a>`;
}
