// The wall at /watch: several live boards at once, of the whole server or of one tournament, the most exciting first.

import { useLayoutEffect, useRef } from "preact/hooks";

import { fillScreen } from "../app/full-screen.js";
import { html } from "../html.js";
import { grouped } from "../models/tournament-words.js";
import { MOST } from "../models/wall.js";
import { withParams } from "../net/api.js";
import { parts, plural, tr } from "../texts.js";
import { Button, LinkButton } from "../widgets/button.js";
import { Shown } from "./common/load.js";
import { PageHead } from "./common/parts.js";
import { ProblemPage } from "./problem.js";
import { useBoards, useSource } from "./wall/boards.js";
import { heldRoom, useGlide, useGrid } from "./wall/places.js";
import { Empty, Tile } from "./wall/tile.js";

/** @typedef {import("../app/app.js").App} App */
/** @typedef {import("./wall/boards.js").Source} Source */

/** @param {{app: App}} props */
export function WallPage({ app }) {
  const { tournament, loaded, ratings } = useSource(app, MOST);
  if (loaded.error?.status === 404) {
    return html`<${ProblemPage} app=${app} kind="tournament" detail=${loaded.error.sentence} />`;
  }
  return html`<div class="page wall-page">
    <${Shown} app=${app} loaded=${loaded} what=${tr("the games in play")}>
      ${(/** @type {Source} */ found) =>
        html`<${Boards}
          key=${tournament}
          app=${app}
          found=${found}
          ratings=${ratings}
          tournament=${tournament}
          again=${loaded.again}
        />`}
    <//>
  </div>`;
}

/** @param {{app: App, found: Source, ratings: import("./wall/ratings.js").Ratings, tournament: string, again: () => void}} props */
function Boards({ app, found, ratings, tournament, again }) {
  const boards = useBoards(app, MOST, { found, ratings, again });
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => {
    // Who has scrolled looks at boards that must not leave.
    if (window.scrollY > 0) return;
    const held = heldRoom(list);
    boards.renew(found, held);
    if (boards.wall.sort((room) => boards.value(room), held, app.now())) boards.changed();
  }, [found]);
  const { tiles } = boards.wall;
  const path = `/tournament/${encodeURIComponent(tournament)}`;
  const hidden = found.total - Math.min(found.total, MOST);
  const television = () => {
    // Only a press may do that.
    fillScreen();
    app.navigate(withParams("/watch/tv", { tournament }));
  };
  return html`
    <${PageHead}
      title=${found.title ? parts("Watch {title}", { title: html`<bdi>${found.title}</bdi>` }) : tr("Watch")}
      about=${found.total
        ? `${
            hidden
              ? tr("{n} games in play; {most} boards are shown.", { ...grouped(found.total), most: MOST })
              : plural("1 game in play.", "{n} games in play.", found.total)
          } ${found.total > 1 ? tr("Close scores, little time and strong players come first.") : ""}`
        : found.over
          ? tr("The tournament is over.")
          : tr("No game is in play right now. This page shows the next one by itself.")}
      actions=${html`
        ${tournament && html`<${LinkButton} icon="cup" href=${path}>${tr("Table and games")}<//>`}
        ${tiles.length > 0 && html`<${Button} class="wall-screen" icon="screen" onPress=${television}>${tr("Show on a big screen")}<//>`}
      `}
    />
    ${tiles.length
      ? html`<${Grid} app=${app} boards=${boards} list=${list} />`
      : html`<div class="stack">
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

/** @param {{app: App, boards: import("./wall/boards.js").Boards, list: import("./wall/places.js").Box}} props */
function Grid({ app, boards, list }) {
  const { tiles } = boards.wall;
  useGrid(list, tiles.length);
  useGlide(list, tiles.map((tile) => tile.room).join());
  return html`<ul class="wall" role="list" ref=${list}>
    ${boards.settled
      ? tiles.map((tile) => html`<${Tile} key=${tile.room} app=${app} room=${tile.room} boards=${boards} />`)
      : tiles.map(() => html`<li class="tile"><${Empty} /></li>`)}
  </ul>`;
}
