// One game in play, large and live: the players with score and clock, and the board, which leads to the room.

import { useEffect, useMemo } from "preact/hooks";

import { Board } from "../../board/board.js";
import { ratioOf } from "../../board/layout.js";
import { ratingKey } from "../../core/lobby.js";
import { html } from "../../html.js";
import { roomPath } from "../../models/addresses.js";
import { ratingText } from "../../models/lobby/model.js";
import { timeLine, watching } from "../../models/room/words.js";
import { knownTitle } from "../../models/title.js";
import { tr } from "../../texts.js";
import { BoardLink } from "../common/seat-line.js";
import { Followed } from "../wall/followed.js";
import { sideOf, useGame, useShown } from "../wall/game.js";

/** @typedef {import("../../app/app.js").App} App */

/**
 * @param {{app: App, room: string, rated: ReadonlyMap<string, import("../../types/wire").LobbyRating>}} props
 */
export function LiveGame({ app, room, rated }) {
  const followed = useMemo(() => new Followed(app), []);
  useEffect(() => {
    followed.open();
    followed.want([room], () => {});
    return () => followed.close();
  }, [room]);
  const game = useGame(app, room);
  return game === null
    ? html`<div class="centre-sheet"></div>`
    : html`<${Live} app=${app} rated=${rated} ...${game} onClick=${() => followed.choose(room)} />`;
}

/**
 * @param {{app: App, rated: ReadonlyMap<string, import("../../types/wire").LobbyRating>, onClick: () => void,
 *   mirror: import("../../core/room.js").RoomMirror, geometry: import("../../types/api.js").GameGeometry}} props
 */
function Live({ app, rated, mirror, geometry, onClick }) {
  app.topics.of(`room:${mirror.room}`).value;
  const { position, seats } = useShown(mirror, geometry);
  const side = (/** @type {0 | 1} */ seat) => {
    const rating = rated.get(ratingKey(seats[seat].name, geometry.game, geometry.size));
    return sideOf(app, mirror, geometry, seats, seat, rating ? ratingText(rating) : "");
  };
  const mine = mirror.seat !== null;
  const about = [
    knownTitle(geometry.title),
    timeLine(mirror.settings.time),
    watching(mirror.presence.spectators - (mine ? 0 : 1), false),
  ];
  return html`<${BoardLink}
      href=${roomPath(mirror.room)}
      what=${mine ? tr("Continue your game") : tr("Watch")}
      about=${about}
      sides=${[side(0), side(1)]}
      below=${mirror.seat ?? 0}
      ratio=${ratioOf(geometry)}
      onClick=${onClick}
    >
      <${Board} geometry=${geometry} position=${position} seats=${seats} mode="watch" label=${tr("board")} />
    <//>`;
}
