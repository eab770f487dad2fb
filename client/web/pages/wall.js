// The wall at /watch: several live boards at once, of the whole server or of one tournament.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";

import { html } from "../html.js";
import { grouped, hasEnded } from "../models/tournament-words.js";
import { TournamentNews } from "../models/tournament-news.js";
import { MOST, Wall } from "../models/wall.js";
import { getJson } from "../net/api.js";
import { parts, plural, tr } from "../texts.js";
import { LinkButton } from "../widgets/button.js";
import { Shown, useLoaded } from "./common/load.js";
import { PageHead, useTitle } from "./common/parts.js";
import { ProblemPage } from "./problem.js";
import { Followed } from "./wall/followed.js";
import { Tile } from "./wall/tile.js";

/** @typedef {import("../app/app.js").App} App */
/** @typedef {import("../types/api.js").Rooms} Rooms */
/** @typedef {{title: string, live: string[], total: number, over: boolean}} Source */

const EVERY_MS = 3000;
/** When a game on the wall ends, the next one probably begins: look for it soon. */
const SOON_MS = 700;

/** @param {{app: App}} props */
export function WallPage({ app }) {
  const tournament = new URLSearchParams(app.route.value.search).get("tournament") ?? "";
  const news = useMemo(() => (tournament ? new TournamentNews(tournament) : null), [tournament]);
  const loaded = useLoaded((signal) => source(news, signal), tournament, EVERY_MS);
  useTitle(app, tr("Watch"));
  if (loaded.error?.status === 404) {
    return html`<${ProblemPage} app=${app} kind="tournament" detail=${loaded.error.sentence} />`;
  }
  return html`<div class="page wide-page">
    <${Shown} app=${app} loaded=${loaded} what=${tr("the games in play")}>
      ${(/** @type {Source} */ found) =>
        html`<${Boards}
          key=${tournament}
          app=${app}
          found=${found}
          tournament=${tournament}
          again=${loaded.again}
        />`}
    <//>
  </div>`;
}

/**
 * Return the rooms with a game in play.
 *
 * @param {TournamentNews | null} news of a tournament; null: all rooms of the server
 * @param {AbortSignal} signal
 * @returns {Promise<Source>}
 */
async function source(news, signal) {
  if (news === null) {
    const { rooms } = /** @type {Rooms} */ (await getJson("/api/rooms", {}, { signal }));
    const live = rooms.filter((each) => each.status === "playing").map((each) => each.room);
    return { title: "", live, total: live.length, over: false };
  }
  const found = await news.load(signal);
  const live = found.live.map((each) => each.room);
  return { title: found.name, live, total: live.length, over: hasEnded(found.status) };
}

/** @param {{app: App, found: Source, tournament: string, again: () => void}} props */
function Boards({ app, found, tournament, again }) {
  const wall = useRef(/** @type {Wall | null} */ (null));
  wall.current ??= new Wall();
  const [followed] = useState(() => new Followed(app));
  const [tiles, setTiles] = useState(wall.current.tiles);
  useEffect(() => {
    if (wall.current?.take(found.live, app.now())) setTiles(wall.current.tiles);
  }, [found]);
  const lookSoon = useRef(() => {});
  useEffect(() => {
    let timer = 0;
    lookSoon.current = () => {
      timer ||= setTimeout(() => {
        timer = 0;
        again();
      }, SOON_MS);
    };
    const stop = app.listen((updates) => {
      if (updates.some((each) => each.kind === "room" && each.event?.type === "match_finished")) lookSoon.current();
    });
    followed.open();
    return () => {
      stop();
      clearTimeout(timer);
      followed.close();
    };
  }, []);
  const close = (/** @type {string} */ room) => {
    wall.current?.drop(room);
    setTiles(wall.current?.tiles ?? []);
    lookSoon.current();
  };
  const path = `/tournament/${encodeURIComponent(tournament)}`;
  const hidden = found.total - Math.min(found.total, MOST);
  return html`
    <${PageHead}
      title=${found.title ? parts("Watch {title}", { title: html`<bdi>${found.title}</bdi>` }) : tr("Watch")}
      about=${found.total
        ? `${
            hidden
              ? tr("{n} games in play; {most} boards are shown.", { ...grouped(found.total), most: MOST })
              : plural("1 game in play.", "{n} games in play.", found.total)
          } ${tr("Choose a board to see it large.")}`
        : found.over
          ? tr("The tournament is over.")
          : tr("No game is in play right now. This page shows the next one by itself.")}
      actions=${tournament && html`<${LinkButton} icon="cup" href=${path}>${tr("Table and games")}<//>`}
    />
    ${tiles.length
      ? html`<ul class="wall" role="list">
          ${tiles.map((tile) => html`<${Tile} key=${tile.room} app=${app} room=${tile.room} followed=${followed} onClosed=${close} />`)}
        </ul>`
      : html`<div class="card stack">
          <p>${found.over ? tr("All games are over.") : found.total ? tr("Waiting for the next game ...") : tr("Nobody is playing.")}</p>
          <div class="row">
            ${tournament
              ? html`<${LinkButton} kind="primary" href=${path}>${tr("See the results")}<//>`
              : html`<${LinkButton} kind="primary" href="/">${tr("Play a game")}<//>`}
            <${LinkButton} href="/games">${tr("Finished games")}<//>
          </div>
        </div>`}
  `;
}
