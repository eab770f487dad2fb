// The middle of the lobby: this player's game on a clock, the best live game, the player's last game, or a board to begin on.

import { useEffect, useReducer, useRef } from "preact/hooks";

import { Board } from "../../board/board.js";
import { ratioOf } from "../../board/layout.js";
import { html } from "../../html.js";
import { gamePath } from "../../models/addresses.js";
import { bestLive } from "../../models/lobby/best.js";
import { marksOf } from "../../models/room/words.js";
import { liveRoom } from "../../models/open-games.js";
import { knownTitle } from "../../models/title.js";
import { getJson } from "../../net/api.js";
import { tr } from "../../texts.js";
import { StartBoard, useStartGeometry } from "../begin/start-board.js";
import { useLoaded } from "../common/load.js";
import { BoardLink } from "../common/seat-line.js";
import { LiveGame } from "./live.js";

/** @typedef {import("../../app/app.js").App} App */

/** How long the end of a game stays before another one takes its place, in milliseconds. */
const LINGER_MS = 6000;

/** @param {{app: App, lobby: import("../../core/lobby.js").LobbyMirror | null}} props */
export function Centre({ app, lobby }) {
  app.topics.of("lobby").value;
  app.topics.of("openGames").value;
  const kept = useRef("");
  const [, again] = useReducer((/** @type {number} */ count) => count + 1, 0);
  // A board that people look at stays until its game is over, though another one may be better by then.
  if (lobby && !lobby.rooms.has(kept.current)) kept.current = "";
  if (lobby) kept.current ||= bestOf(app, lobby) ?? "";
  const own = lobby && liveRoom(app.session.openGames.games, app.session.rooms);
  const room = own ?? kept.current;
  const over = !own && room !== "" && lobby?.rooms.get(room)?.status !== "playing";
  useEffect(() => {
    if (!over) return undefined;
    const timer = setTimeout(() => ((kept.current = ""), again(0)), LINGER_MS);
    return () => clearTimeout(timer);
  }, [over, room]);
  return html`<section class="centre" aria-label=${own ? tr("Your game") : tr("Best game")}>
    ${lobby === null
      ? html`<div class="centre-sheet"></div>`
      : room
        ? html`<${LiveGame} key=${room} app=${app} room=${room} rated=${lobby.ratings} />`
        : html`<${LastGame} app=${app} />`}
  </section>`;
}

/**
 * @param {App} app
 * @param {import("../../core/lobby.js").LobbyMirror} lobby
 */
function bestOf(app, { rooms, ratings }) {
  const me = app.me.peek();
  const others = [...rooms.values()].filter(({ players }) => players.every((player) => player?.name !== me));
  const seen = (/** @type {string} */ id) => {
    const mirror = app.session.rooms.get(id);
    return mirror && { scores: mirror.scores, spectators: mirror.presence.spectators };
  };
  return bestLive(others, ratings, seen)?.room;
}

/** @param {{app: App}} props */
function LastGame({ app }) {
  const me = app.me.value;
  const { value: last, error } = useLoaded((signal) => lastGame(app, me, signal), me);
  if (last === null && error === null) return html`<div class="centre-sheet"></div>`;
  if (!last) return html`<${Start} app=${app} />`;
  const { game, geometry, position } = last;
  const [first = "", second = ""] = game.players;
  const [one, other] = marksOf(geometry, first, second);
  const seats = /** @type {const} */ ([
    { name: first, initial: one, score: geometry.unit ? game.scores[0] : null },
    { name: second, initial: other, score: geometry.unit ? game.scores[1] : null },
  ]);
  return html`<${BoardLink}
    href=${gamePath(game.id)}
    what=${tr("Review")}
    about=${[tr("Your last game"), knownTitle(game.title)]}
    sides=${seats}
    ratio=${ratioOf(geometry)}
  >
    <${Board} geometry=${geometry} position=${position} seats=${seats} mode="still" label=${tr("board")} />
  <//>`;
}

/**
 * Return this player's last game with its end; false without one.
 * @param {App} app
 * @param {string} player
 * @param {AbortSignal} signal
 */
async function lastGame(app, player, signal) {
  const { games } = await getJson("/api/games", { player, limit: 1 }, { signal });
  const [found] = /** @type {import("../../types/api.js").GameSummary[]} */ (games);
  if (found === undefined) return false;
  /** @type {import("../../types/api.js").GameAnswer} */
  const game = await getJson(`/api/games/${encodeURIComponent(found.id)}`, {}, { signal });
  const { opening, moves, size } = game;
  const [geometry, { positions }] = await Promise.all([
    app.geometry(game.game, game.params),
    getJson("/api/positions", { game: game.game, size, opening, moves }, { signal }),
  ]);
  const end = /** @type {import("../../types/api.js").GamePosition[]} */ (positions).at(-1);
  if (end === undefined) return false;
  const played = [...opening, ...moves];
  const drawers = [...opening.map(() => null), ...positions.slice(0, -1).map((/** @type {any} */ each) => each.to_move)];
  return { game, geometry, position: { ...end, played, drawers, last: null, toMove: null } };
}

/** @param {{app: App}} props */
function Start({ app }) {
  const { value, error } = useStartGeometry();
  return html`<${StartBoard} app=${app} geometry=${value} problem=${error?.sentence} />`;
}
