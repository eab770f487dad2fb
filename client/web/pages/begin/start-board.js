// A board that can be played before anything else: the first edge begins the game against a bot.

import { useEffect, useMemo, useState } from "preact/hooks";

import { sentenceOf } from "../../app/app.js";
import { playHotSeat } from "../../app/hot-seat.js";
import { Board } from "../../board/board.js";
import { ratioOf } from "../../board/layout.js";
import { html } from "../../html.js";
import { levelTitle } from "../../models/lobby/levels.js";
import { guestName } from "../../models/lobby/names.js";
import { getJson } from "../../net/api.js";
import { tr } from "../../texts.js";
import { Button } from "../../widgets/button.js";
import { useLoaded } from "../common/load.js";
import { SeatLine } from "../common/seat-line.js";
import { beginWith, NO_CLOCK, usualLevel } from "./bot-game.js";

/** @typedef {import("../../app/app.js").App} App */
/** @typedef {import("../../types/api.js").GameGeometry} GameGeometry */

/** What is played. `app/early.js` fetches the same geometry before the first script runs. */
const GAME = "dots-and-boxes";
const SIDE = 4;
export const SETTINGS = {
  game: GAME,
  params: { rows: SIDE, cols: SIDE },
  opening: [],
  start: [],
  time: NO_CLOCK,
  rated: false,
  evaluation: false,
};
/** How long the server may take before a sentence says so, in milliseconds. */
const PATIENCE_MS = 4000;

/** @returns {import("../common/load.js").Loaded<GameGeometry>} */
export function useStartGeometry() {
  return useLoaded((signal) => getJson("/api/geometry", { game: GAME, size: `${SIDE}x${SIDE}` }, { signal }), GAME);
}

/**
 * `onBegin` is called before the visitor gets a name.
 * @param {{app: App, geometry: GameGeometry | null, problem?: string, onBegin?: () => void}} props
 */
export function StartBoard({ app, geometry, problem = "", onBegin = () => {} }) {
  const [drawn, setDrawn] = useState(/** @type {number | null} */ (null));
  const [said, setSaid] = useState("");
  const [alone, setAlone] = useState(false);
  app.topics.of("offers").value;
  useEffect(() => {
    if (drawn === null || app.connected.value) return undefined;
    const timer = setTimeout(
      () => setSaid(tr("The server does not answer. Your game begins as soon as it does.")),
      PATIENCE_MS,
    );
    return () => clearTimeout(timer);
  }, [drawn, app.connected.value]);
  useEffect(
    () =>
      app.listen((updates) => {
        // The bot plays enough games already; the strip says so.
        if (updates.some((each) => each.kind === "offerClosed")) setDrawn(null);
      }),
    [],
  );
  const position = useMemo(() => geometry && emptyBoard(geometry), [geometry]);
  const begin = async (/** @type {number} */ action) => {
    if (drawn !== null) return;
    setDrawn(action);
    setSaid("");
    app.sounds.play("draw");
    onBegin();
    try {
      const found = await beginWith(app, SETTINGS, action);
      setAlone(!found);
      if (!found) setDrawn(null);
    } catch (error) {
      setDrawn(null);
      setSaid(sentenceOf(error));
    }
  };
  const here = () =>
    playHotSeat(app, SETTINGS, 0, guestName(app.random)).catch((/** @type {unknown} */ error) => app.complain(error));
  const opponent = levelTitle(usualLevel(app));
  const line = alone
    ? tr("No bot is here right now. Play with somebody at this screen.")
    : said || problem || (drawn === null ? tr("You begin. Draw an edge.") : tr("Waiting for an opponent"));
  return html`<div class="room-main" style=${{ "--ratio": String(geometry ? ratioOf(geometry) : 1) }}>
    <${SeatLine} seat=${1} side=${{ name: opponent, initial: "B", score: 0 }} />
    <div class="room-board">
      ${geometry && position
        ? html`<${Board}
            geometry=${geometry}
            position=${position}
            seats=${[
              { name: tr("You"), initial: "A" },
              { name: opponent, initial: "B" },
            ]}
            seat=${0}
            mode="play"
            pending=${drawn}
            rim=${app.settings.rim.value}
            confirmTaps=${app.settings.confirmTaps.value}
            onPlay=${begin}
            label=${tr("Board of {title}", { title: geometry.title })}
            say=${(/** @type {string} */ words) => app.say(words)}
          />`
        : html`<div class="start-sheet"></div>`}
    </div>
    <div class="score-bar" style=${{ "--boxes": String(SIDE * SIDE) }} aria-hidden="true"></div>
    <${SeatLine} seat=${0} side=${{ name: tr("You"), initial: "A", score: 0, moves: drawn === null }} />
    <div class="room-status room-says" role="status">
      <p key=${line} class="room-sentence strong">${line}</p>
      ${alone && html`<${Button} kind="primary" icon="people" onPress=${here}>${tr("Two at one screen")}<//>`}
    </div>
  </div>`;
}

/**
 * Return the position before the first move: every edge is free.
 * @param {GameGeometry} geometry
 * @returns {import("../../board/types").Position}
 */
function emptyBoard({ cells, names }) {
  const legal = "1".repeat(names.length);
  return { cells: ".".repeat(cells.length), legal, winning: [], played: [], last: null, toMove: 0 };
}
