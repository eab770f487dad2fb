// One game in play on a small board, for visitors without a name: the server is asked now and then.

import { useEffect, useState } from "preact/hooks";

import { Board } from "../../board/board.js";
import { ratioOf } from "../../board/layout.js";
import { html } from "../../html.js";
import { roomPath } from "../../models/addresses.js";
import { ratingKey } from "../../core/lobby.js";
import { bestLive } from "../../models/lobby/best.js";
import { livePosition } from "../../models/open-games.js";
import { marksOf } from "../../models/room/words.js";
import { getJson } from "../../net/api.js";
import { tr } from "../../texts.js";
import { useLoaded } from "../common/load.js";
import { BoardLink } from "../common/seat-line.js";

/** @typedef {import("../../app/app.js").App} App */
/** @typedef {import("../../types/wire").LobbyRoom} LobbyRoom */

const EVERY_MS = 3000;
/** Of how many games and sizes the ratings are asked for. */
const POOLS = 3;

/** @param {{app: App}} props */
export function LiveGlimpse({ app }) {
  const [room, setRoom] = useState("");
  const { value: live } = useLoaded((signal) => look(app, room, signal), "live", EVERY_MS);
  useEffect(() => setRoom(live?.room ?? ""), [live?.room]);
  if (!live) return null;
  const { players, scores, geometry, to_move: toMove } = live;
  const [one, other] = marksOf(geometry, players[0], players[1]);
  const side = (/** @type {0 | 1} */ seat, /** @type {string} */ initial) => ({
    name: players[seat],
    initial,
    score: geometry.unit ? scores[seat] : null,
    moves: toMove === seat,
  });
  const sides = /** @type {const} */ ([side(0, one), side(1, other)]);
  return html`<section class="glimpse" aria-labelledby="live">
    <h2 id="live">${tr("Being played now")}</h2>
    <${BoardLink} href=${roomPath(live.room)} what=${tr("Watch")} sides=${sides} ratio=${ratioOf(geometry)}>
      <${Board} geometry=${geometry} position=${livePosition(live)} seats=${sides} mode="still" label=${tr("board")} />
    <//>
  </section>`;
}

/**
 * Return the game in `room` while it is played, else the best one in play; null without any.
 * @param {App} app
 * @param {string} room
 * @param {AbortSignal} signal
 */
async function look(app, room, signal) {
  /** @type {import("../../types/api.js").Rooms} */
  const { rooms } = await getJson("/api/rooms", {}, { signal });
  const live = rooms.filter(({ status }) => status === "playing").reverse();
  const shown = live.find((each) => each.room === room) ?? bestLive(live, await ratingsOf(live, signal));
  if (!shown) return null;
  /** @type {import("../../types/api.js").GameInPlay} */
  const game = await getJson(`/api/rooms/${encodeURIComponent(shown.room)}`, {}, { signal });
  const geometry = await app.geometry(shown.settings.game, shown.settings.params ?? {});
  return { ...game, geometry };
}

/**
 * Return the ratings of a few games and sizes of these rooms.
 * @param {readonly LobbyRoom[]} rooms
 * @param {AbortSignal} signal
 */
async function ratingsOf(rooms, signal) {
  const pools = new Map(
    rooms.map(({ settings: { game, params } }) => [`${game} ${Object.values(params ?? {}).join("x")}`, game]),
  );
  const asked = [...pools].slice(0, POOLS).map(([pool, game]) => {
    const size = pool.slice(game.length + 1);
    return getJson("/api/ratings", { game, size, limit: 500 }, { signal });
  });
  const answers = /** @type {import("../../types/api.js").Ratings[]} */ (await Promise.all(asked));
  const all = answers.flatMap(({ ratings }) => ratings ?? []);
  return new Map(all.map((each) => [ratingKey(each.player, each.game, each.size), each]));
}
