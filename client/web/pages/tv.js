// The wall for a projector at /watch/tv: one game fills the screen, others are small beside it, and nothing has to be pressed.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

import { fillScreen, leaveFullScreen } from "../app/full-screen.js";
import { Board } from "../board/board.js";
import { html } from "../html.js";
import { knownTitle } from "../models/title.js";
import { withParams } from "../net/api.js";
import { tr } from "../texts.js";
import { Button } from "../widgets/button.js";
import { Shown } from "./common/load.js";
import { useBoards, useSource } from "./wall/boards.js";
import { Score } from "./wall/score.js";
import { useGame, useShown } from "./wall/game.js";
import { Ending, StillBoard, TileSeat, placesOf } from "./wall/tile.js";

/** @typedef {import("../app/app.js").App} App */
/** @typedef {import("./wall/boards.js").Boards} Boards */
/** @typedef {import("./wall/boards.js").Source} Source */

/** The large board and four small ones. */
const MOST = 5;
/** How long the pointer and the button that leaves stay after the last move of the mouse. */
const IDLE_MS = 3000;

/** @param {{app: App}} props */
export function TvPage({ app }) {
  const { tournament, loaded, ratings } = useSource(app, MOST);
  const leave = () => app.navigate(withParams("/watch", { tournament }));
  const idle = useIdle();
  useFullScreen(leave);
  useWakeLock();
  return html`<div class=${idle ? "tv idle" : "tv"}>
    <h1 class="visually-hidden">${tr("Watch")}</h1>
    <${Shown} app=${app} loaded=${loaded} what=${tr("the games in play")}>
      ${(/** @type {Source} */ found) => html`<${Screen} app=${app} found=${found} ratings=${ratings} again=${loaded.again} />`}
    <//>
    <${Button} class="tv-leave" kind="quiet" icon="close" label=${tr("Leave the big screen (Escape)")} onPress=${leave} />
  </div>`;
}

/** @param {{app: App, found: Source, ratings: import("./wall/ratings.js").Ratings, again: () => void}} props */
function Screen({ app, found, ratings, again }) {
  const boards = useBoards(app, MOST, { found, ratings, again });
  const large = useRef(/** @type {string | null} */ (null));
  const [, chosen] = useState("");
  if (large.current === null) for (const { room } of boards.wall.tiles) app.topics.of(`room:${room}`).value;
  large.current = boards.wall.large(large.current, (room) => boards.value(room), app.now());
  useLayoutEffect(() => boards.renew(found, large.current), [found]);
  if (large.current === null) {
    if (found.total) return null; // the boards come
    return html`<p class="tv-waiting">
      ${found.title && html`<bdi>${found.title}</bdi>`}
      <span>${found.over ? tr("The tournament is over.") : tr("Waiting for the next game ...")}</span>
    </p>`;
  }
  const choose = (/** @type {string} */ room) => {
    large.current = room;
    chosen(room);
  };
  const others = boards.wall.tiles.filter((tile) => tile.room !== large.current && tile.endedAt === null);
  return html`
    <${Large} key=${large.current} app=${app} boards=${boards} room=${large.current} title=${found.title} />
    ${others.length > 0 &&
    html`<div class="tv-others">
      ${others.map(({ room }) => html`<${Small} key=${room} app=${app} boards=${boards} room=${room} onChoose=${choose} />`)}
    </div>`}
  `;
}

/** @param {{app: App, boards: Boards, room: string, title: string}} props */
function Large({ app, boards, room, title }) {
  const game = useGame(app, room);
  if (game === null) return null;
  return html`<${LargeGame} app=${app} boards=${boards} title=${title} ...${game} />`;
}

/** @param {import("./wall/tile.js").Game & {title: string}} props */
function LargeGame({ app, boards, mirror, geometry, title }) {
  const { position, seats } = useShown(mirror, geometry);
  return html`
    <div class="tv-board">
      <${Board} geometry=${geometry} position=${position} seats=${seats} seat=${null} mode="watch" label=${tr("board")} />
    </div>
    <div class="tv-players">
      ${placesOf(mirror).map(
        (seat) => html`<${TileSeat} key=${seat} app=${app} boards=${boards} mirror=${mirror} geometry=${geometry} seats=${seats} seat=${seat} />`,
      )}
      <${Score} app=${app} mirror=${mirror} geometry=${geometry} />
      <p class="tv-about">
        <bdi>${title || knownTitle(geometry.title)}</bdi>
        <${Ending} mirror=${mirror} />
      </p>
    </div>
  `;
}

/** @param {{app: App, boards: Boards, room: string, onChoose: (room: string) => void}} props */
function Small({ app, boards, room, onChoose }) {
  const game = useGame(app, room);
  return html`<button type="button" class="tv-other" onClick=${() => onChoose(room)}>
    ${game && html`<${SmallGame} app=${app} boards=${boards} ...${game} />`}
  </button>`;
}

/** @param {import("./wall/tile.js").Game} props */
function SmallGame({ app, boards, mirror, geometry }) {
  const shown = useShown(mirror, geometry);
  return html`
    ${placesOf(mirror).map(
      (seat) => html`<${TileSeat} key=${seat} app=${app} boards=${boards} mirror=${mirror} geometry=${geometry} seats=${shown.seats} seat=${seat} />`,
    )}
    <span class="tile-board"><${StillBoard} geometry=${geometry} ...${shown} /></span>
  `;
}

/**
 * Call `leave` on Escape. In full screen the browser takes the first Escape for itself, so leave with the full screen, too.
 *
 * @param {() => void} leave
 */
function useFullScreen(leave) {
  const latest = useRef(leave);
  latest.current = leave;
  useEffect(() => {
    let full = document.fullscreenElement !== null;
    const changed = () => {
      const before = full;
      full = document.fullscreenElement !== null;
      if (before && !full) latest.current();
    };
    const pressed = (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Escape") latest.current();
      else if (event.key === "f" && !full) fillScreen();
    };
    document.addEventListener("fullscreenchange", changed);
    document.addEventListener("keydown", pressed);
    return () => {
      document.removeEventListener("fullscreenchange", changed);
      document.removeEventListener("keydown", pressed);
      leaveFullScreen();
    };
  }, []);
}

/** Keep the screen awake while the page is visible, where the browser can. */
function useWakeLock() {
  useEffect(() => {
    /** @type {WakeLockSentinel | null} */
    let lock = null;
    let over = false;
    const hold = async () => {
      if (document.visibilityState !== "visible") return; // a hidden page loses its lock
      try {
        lock = await navigator.wakeLock?.request("screen");
        if (over) void lock?.release();
      } catch {
        // The battery is low, or the browser forbids it.
      }
    };
    void hold();
    document.addEventListener("visibilitychange", hold);
    return () => {
      over = true;
      document.removeEventListener("visibilitychange", hold);
      lock?.release().catch(() => {});
    };
  }, []);
}

/** Return whether the pointer has rested for a while. */
function useIdle() {
  const [idle, setIdle] = useState(false);
  useEffect(() => {
    let timer = 0;
    const moved = () => {
      clearTimeout(timer);
      setIdle(false);
      timer = setTimeout(() => setIdle(true), IDLE_MS);
    };
    moved();
    document.addEventListener("pointermove", moved);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("pointermove", moved);
    };
  }, []);
  return idle;
}
