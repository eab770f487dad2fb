// Games as cards: a small board, the players with their score, and a line about the game; all of it leads to the game.

import { Board } from "../../board/board.js";
import { html } from "../../html.js";
import { gamePath, roomPath } from "../../models/addresses.js";
import { livePosition, positionOf } from "../../models/open-games.js";
import { marksOf } from "../../models/room/words.js";
import { getJson } from "../../net/api.js";
import { tr } from "../../texts.js";
import { useAnswer, useGeometry, useLoaded } from "./load.js";
import { When } from "./parts.js";

/** @typedef {import("../../app/app.js").App} App */
/** @import { Finished } from "../../models/game-cards.js" */
/** @import { LastBoard, Boards } from "../../types/api.js" */
/** @import { Position } from "../../board/types.js" */
/** @typedef {import("preact").ComponentChildren} Children */
/** @typedef {{game: string, params?: Record<string, number>}} Which a game and the size of its board */

const BADGES = { won: ["badge good", tr("won")], lost: ["badge bad", tr("lost")], drawn: ["badge", tr("draw")], none: ["badge", tr("no result")] };
/** Of how many games the server shows the boards in one answer. */
const AT_ONCE = 30;
const LIVE_MS = 8000;

/**
 * @param {{app: App, games: readonly Finished[], label: string}} props
 */
export function GameCards({ app, games, label }) {
  const starts = games.flatMap((_, at) => (at % AT_ONCE ? [] : [at]));
  return html`<ul class="open-games" role="list" aria-label=${label}>
    ${starts.map((at) => html`<${Some} key=${at} app=${app} games=${games.slice(at, at + AT_ONCE)} />`)}
  </ul>`;
}

/** @param {{app: App, games: readonly Finished[]}} props */
function Some({ app, games }) {
  const asked = games.map(({ id }) => id).join(",");
  const { token } = app.identity;
  // Without its board a game is still a line to read, so a failure is no news.
  const { value } = useLoaded((signal) => getJson("/api/boards", { games: asked }, { token, signal }), asked);
  const boards = new Map(/** @type {Boards | null} */ (value)?.boards.map((each) => [each.id, each]));
  return games.map((game) => html`<${FinishedCard} key=${game.id} app=${app} game=${game} last=${boards.get(game.id)} />`);
}

/** @param {{app: App, game: Finished, last: LastBoard | undefined}} props */
function FinishedCard({ app, game, last }) {
  const [look, word] = BADGES[game.badge || "none"];
  return html`<${GameCard}
    app=${app}
    href=${gamePath(game.id)}
    what=${tr("Review")}
    which=${last}
    position=${last && positionOf({ ...last, to_move: null })}
    ...${game}
  >
    <span class="open-game-line">${game.title}</span>
    <span class="open-game-line">${game.badge && html`<span class=${look}>${word}</span> `}${game.facts.filter(Boolean).join(" · ")}</span>
    <${When} ms=${game.finished_ms} />
  <//>`;
}

/**
 * A game that leads to `href`; `what` says what one does there.
 * @param {{app: App, href: string, what: string, players: readonly string[], scores?: readonly number[],
 *   winner?: number | null, which?: Which, position?: Position, children: Children}} props
 */
export function GameCard({ app, href, what, players, scores, winner, which, position, children }) {
  return html`<li>
    <a class="open-game" href=${href}>
      <${SmallBoard} app=${app} which=${which} position=${position} players=${players} />
      <span class="open-game-facts">
        <span class="visually-hidden">${what}</span>
        ${players.map(
          (name, seat) => html`<span key=${seat} class=${`open-game-seat seat${seat}${winner === seat ? " won" : ""}`}>
            <bdi class="seat-name" translate=${false}>${name}</bdi> <span class="numbers" translate=${false}>${scores?.[seat]}</span>
          </span>`,
        )}
        <span class="small muted">${children}</span>
      </span>
    </a>
  </li>`;
}

/**
 * Games in play, as they stand. `line`: what the card says; without it, what is played.
 * @param {{app: App, games: readonly {room: string, players: readonly string[], which: Which, line?: string}[],
 *   large?: boolean}} props
 */
export function LiveCards({ app, games, large }) {
  const asked = games.slice(0, AT_ONCE).map(({ room }) => room);
  // A game that has just ended is left out of this answer, which is no failure.
  /** @type {Boards | null} */
  const answer = useAnswer("/api/boards", { rooms: asked.join(",") }, LIVE_MS).value;
  return html`<ul class=${large ? "open-games large" : "open-games"} role="list">
    ${games.map(({ room, players, which, line }) => {
      const game = answer?.live.find((each) => each.room === room);
      return html`<${GameCard}
        key=${room}
        app=${app}
        href=${roomPath(room)}
        what=${tr("Watch")}
        players=${players}
        scores=${game?.scores}
        which=${which}
        position=${game && livePosition(game)}
      >
        ${line ?? app.games.title(which)}
      <//>`;
    })}
  </ul>`;
}

/**
 * The board of a game before its first move.
 * @param {{app: App, which: Which}} props
 */
export function EmptyBoard({ app, which }) {
  const { value: geometry } = useGeometry(app, which.game, which.params);
  const cells = ".".repeat(geometry?.cells.length ?? 0);
  const position = { cells, played: [], drawers: [], winning: [], last: null, toMove: null };
  return html`<${SmallBoard} app=${app} which=${which} position=${position} players=${["", ""]} />`;
}

/**
 * The board of a game; empty until everything of it is known.
 * @param {{app: App, which?: Which, position?: Position, players: readonly string[]}} props
 */
export function SmallBoard({ app, which, position, players }) {
  const { value: geometry } = useGeometry(app, which?.game ?? null, which?.params);
  const marks = geometry && marksOf(geometry, players[0] ?? "", players[1] ?? "");
  return html`<span class="open-game-board">
    ${marks &&
    position &&
    html`<${Board}
      geometry=${geometry}
      position=${position}
      seats=${players.map((name, seat) => ({ name, initial: marks[seat] ?? "" }))}
      mode="still"
    />`}
  </span>`;
}
