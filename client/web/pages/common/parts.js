// Small parts that several pages share: titles, dates, names, and lines about finished games.

import { useEffect } from "preact/hooks";

import { html } from "../../html.js";
import { outcomeOf } from "../../models/game-words.js";
import { dateText, timeText } from "../../models/time.js";
import { gamePath } from "../../models/addresses.js";
import { knownTitle } from "../../models/title.js";
import { withParams } from "../../net/api.js";
import { tr } from "../../texts.js";
import { LinkButton } from "../../widgets/button.js";
import { playerPath } from "../../widgets/player.js";

/** @typedef {import("../../types/api.js").GameSummary} GameSummary */

/** @typedef {import("../../app/app.js").App} App */

/**
 * Name the browser's tab after the page.
 *
 * @param {App} app
 * @param {string} title
 */
export function useTitle(app, title) {
  useEffect(() => app.setTitle(title), [title]);
}

/**
 * The head of a page: its title, a line about it, and its actions.
 *
 * @param {{title: import("preact").ComponentChildren, about?: import("preact").ComponentChildren,
 *   actions?: import("preact").ComponentChildren}} props
 */
export function PageHead({ title, about, actions }) {
  return html`<header class="page-head">
    <div class="grow">
      <h1>${title}</h1>
      ${about && html`<p class="muted page-about">${about}</p>`}
    </div>
    ${actions && html`<div class="row page-actions">${actions}</div>`}
  </header>`;
}

/**
 * A date in the language of the page and the visitor's time zone.
 *
 * @param {{ms: number}} props
 */
export function When({ ms }) {
  return html`<time datetime=${new Date(ms).toISOString()}>${dateText(ms)}</time>`;
}

/**
 * The name of a player with a link.
 *
 * @param {{name: string, seat?: number}} props
 */
export function Name({ name, seat }) {
  return html`<a class=${seat === undefined ? "name" : `name seat${seat}`} href=${playerPath(name)}
    >${name}</a>`;
}

/**
 * Finished games, each with players, score, facts and a link to its review.
 *
 * @param {{games: GameSummary[], label: string, of?: string}} props `of`: the player whose list it is
 */
export function GameLines({ games, label, of }) {
  return html`<ul class="game-lines" role="list" aria-label=${label}>
    ${games.map((game) => {
      const facts = [knownTitle(game.title), timeText(game.time_control), game.rated ? tr("rated") : tr("casual")];
      return html`<${GameLine} key=${game.id} game=${game} facts=${facts} which=${dateText(game.finished_ms)}>
        ${of !== undefined && html`<${Badge} game=${game} of=${of} />`}
      <//>`;
    })}
  </ul>`;
}

/**
 * A finished game as an entry of a list.
 *
 * @param {{game: GameSummary | import("../../types/api.js").TournamentGame, facts: string[], which: string,
 *   children?: import("preact").ComponentChildren}} props `which`: the game among others of the players
 */
export function GameLine({ game, facts, which, children }) {
  const { winner, players, scores } = game;
  const { headline, why } = outcomeOf(game);
  return html`<li class="game-line">
    <div class="grow">
      <p class="opponents">
        ${children}
        <span class=${winner === 0 ? "won" : ""}><${Name} name=${players[0]} seat=${0} /></span>
        <span class="numbers score">${scores[0]} : ${scores[1]}</span>
        <span class=${winner === 1 ? "won" : ""}><${Name} name=${players[1]} seat=${1} /></span>
      </p>
      <p class="muted small">
        ${[...facts, winner == null ? `${headline}, ${why}` : why].filter(Boolean).join(" · ")} · <${When} ms=${game.finished_ms} />
      </p>
    </div>
    <a
      class="button small"
      href=${gamePath(game.id)}
      aria-label=${tr("Review {first} against {second}, {which}", { first: players[0], second: players[1], which })}
      >${tr("Review")}</a>
  </li>`;
}

/** @param {{game: GameSummary, of: string}} props */
function Badge({ game, of }) {
  if (game.winner == null) return html`<span class="badge">${tr("draw")}</span>`;
  const won = game.players[game.winner]?.toLowerCase() === of.toLowerCase();
  return html`<span class=${won ? "badge good" : "badge bad"}>${won ? tr("won") : tr("lost")}</span>`;
}

/**
 * Links to the newest and to older entries of a list; the children are between them.
 *
 * @param {{path: string, chosen: Record<string, string>, after: string, next: string | null | undefined,
 *   children?: import("preact").ComponentChildren}} props `next`: where the older entries are
 */
export function Pages({ path, chosen, after, next, children }) {
  const older = next && new URLSearchParams(next.split("?")[1]).get("after");
  if (!after && !older) return null;
  const link = (/** @type {string} */ title, /** @type {Record<string, string>} */ place) =>
    html`<${LinkButton} href=${withParams(path, { ...chosen, ...place })}>${title}<//>`;
  return html`<nav class="row apart pages" aria-label=${tr("Pages")}>
    ${after ? link(tr("Newest"), {}) : html`<span></span>`} ${children}
    ${older ? link(tr("Older"), { after: older }) : html`<span></span>`}
  </nav>`;
}
