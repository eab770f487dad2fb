// One game in play, large and live: the players with score and clock, and the board, which leads to the room.

import { useEffect, useMemo, useState } from "preact/hooks";

import { Board } from "../../board/board.js";
import { ratioOf } from "../../board/layout.js";
import { ratingKey } from "../../core/lobby.js";
import { html } from "../../html.js";
import { roomPath } from "../../models/addresses.js";
import { clockFace } from "../../models/clock-face.js";
import { ratingText } from "../../models/lobby/model.js";
import { roomClock } from "../../models/room/clock.js";
import { marksOf, timeLine, watching } from "../../models/room/words.js";
import { knownTitle } from "../../models/title.js";
import { tr } from "../../texts.js";
import { useNow } from "../../widgets/clock.js";
import { Followed } from "../wall/followed.js";
import { BoardLink } from "./seat-line.js";

/** @typedef {import("../../app/app.js").App} App */
/** @typedef {import("../../types/api.js").GameGeometry} GameGeometry */

/**
 * @param {{app: App, room: string, rated: ReadonlyMap<string, import("../../types/wire").LobbyRating>}} props
 */
export function LiveGame({ app, room, rated }) {
  app.topics.of(`room:${room}`).value;
  const followed = useMemo(() => new Followed(app), []);
  const [geometry, setGeometry] = useState(/** @type {GameGeometry | null} */ (null));
  useEffect(() => {
    followed.open();
    followed.want([room], () => {});
    return () => followed.close();
  }, [room]);
  const mirror = app.session.rooms.get(room);
  const settings = mirror?.settings;
  useEffect(() => {
    if (settings === undefined) return undefined;
    let over = false;
    app.geometry(settings.game, settings.params).then(
      (found) => over || setGeometry(found),
      () => {}, // the next game tries again
    );
    return () => void (over = true);
  }, [settings]);
  const now = useNow(app, mirror?.status === "playing" ? 1000 : 0);
  if (mirror === undefined || geometry === null) return html`<div class="centre-sheet"></div>`;
  const { players, scores, toMove, result, board, moves, movers, opening, presence } = mirror;
  const names = players.map((player) => player?.name ?? "");
  const marks = marksOf(geometry, names[0] ?? "", names[1] ?? "");
  const side = (/** @type {0 | 1} */ seat) => {
    const rating = rated.get(ratingKey(names[seat] ?? "", geometry.game, geometry.size));
    const time = roomClock(mirror, seat, now);
    return {
      name: names[seat] ?? "",
      initial: marks[seat],
      about: result?.winner === seat ? tr("won") : rating ? ratingText(rating) : "",
      clock: time ? clockFace(time.ms).text : "",
      score: geometry.unit ? scores[seat] : null,
      moves: toMove === seat,
    };
  };
  const seats = /** @type {const} */ ([side(0), side(1)]);
  const about = [knownTitle(geometry.title), timeLine(mirror.settings.time), watching(presence.spectators - 1, false)];
  return html`<${BoardLink}
      href=${roomPath(room)}
      what=${tr("Watch")}
      sides=${seats}
      ratio=${ratioOf(geometry)}
      onClick=${() => followed.choose(room)}
    >
      <${Board}
        geometry=${geometry}
        position=${{
          cells: board.cells,
          legal: board.legal,
          winning: board.winning,
          played: [...opening, ...moves],
          drawers: [...opening.map(() => null), ...movers],
          last: moves.at(-1) ?? null,
          toMove,
        }}
        seats=${seats}
        mode="watch"
        label=${tr("board")}
      />
    <//>
    <p class="centre-foot muted">${about.filter(Boolean).join(" · ")}</p>`;
}
