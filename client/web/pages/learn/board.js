// The board of a lesson or puzzle: the position of its session, with marked edges.

import { useRef } from "preact/hooks";

import { Board } from "../../board/board.js";
import { html } from "../../html.js";
import { getJson } from "../../net/api.js";
import { BoardValues } from "../../study/board-values.js";
import { tr } from "../../texts.js";
import { useLoaded } from "../common/load.js";

/** @typedef {import("../../types/api.js").GamePosition} GamePosition */

export const SEATS = [
  { name: tr("Player A"), initial: "A" },
  { name: tr("Player B"), initial: "B" },
];

/**
 * `at` says how many of the session's moves are shown; without it all. `history` has all positions up to the current one; it is empty while the server has not answered.
 * `playable` says whether an edge may be played now, `marked` are the edges to ring.
 *
 * @param {{app: import("../../app/app.js").App, geometry: import("../../types/api.js").GameGeometry,
 *   session: {history: readonly GamePosition[], moves: readonly number[]}, first: readonly number[],
 *   playable: boolean, at?: number, watch?: boolean, marked?: readonly number[], outlines?: boolean, label: string,
 *   onPlay: (action: number) => void}} props
 */
export function LearnBoard({ app, geometry, session, first, playable, at = session.moves.length, watch, marked = [], outlines = false, label, onPlay }) {
  const kept = useRef(/** @type {{history: readonly GamePosition[], moves: readonly number[]}} */ ({ history: [], moves: [] }));
  // The last known position stays on the board until the server has answered about the next one.
  if (session.history.length) kept.current = { history: session.history, moves: [...first, ...session.moves] };
  const back = session.moves.length - at;
  const until = (/** @type {number} */ length) => Math.max(0, length - back);
  const history = kept.current.history.slice(0, until(kept.current.history.length));
  const moves = kept.current.moves.slice(0, until(kept.current.moves.length));
  const { game, size } = geometry;
  const features = useLoaded(
    (signal) => getJson("/api/features", { game, size, moves }, { signal }),
    outlines && history.length ? moves.join(",") : null,
  );
  const now = history.at(-1);
  if (now === undefined) return html`<div class="study-empty"></div>`;
  const waits = !session.history.length;
  return html`<${Board}
    geometry=${geometry}
    position=${{
      cells: now.cells,
      before: history.at(-2)?.cells,
      legal: now.legal,
      winning: now.winning,
      played: moves,
      drawers: history.slice(0, -1).map((each) => each.to_move),
      last: at > 0 ? (moves.at(-1) ?? null) : null,
      toMove: playable && !waits && !back ? now.to_move : null,
    }}
    seats=${SEATS}
    seat=${null}
    mode=${watch ? "watch" : "play"}
    pending=${waits && !back ? (session.moves.at(-1) ?? null) : null}
    features=${outlines ? (/** @type {any} */ (features.value)?.features ?? []) : null}
    layer=${{ maker: BoardValues, data: { labels: [], better: marked, mark: null } }}
    rim=${app.settings.rim.value}
    label=${label}
    onPlay=${onPlay}
    say=${(/** @type {string} */ text) => app.say(text)}
  />`;
}
