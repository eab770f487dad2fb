// The page for what does not exist or cannot be shown: it says what to do next.

import { useEffect } from "preact/hooks";

import { html } from "../html.js";
import { tr } from "../texts.js";
import { LinkButton } from "../widgets/button.js";

/** @typedef {{title: string, text: string, links: [string, string][]}} Problem */

/** @type {Record<string, Problem>} */
const PROBLEMS = {
  address: {
    title: tr("There is nothing here"),
    text: tr("No page has this address. Check it for a typing error, or begin in the lobby."),
    links: [["/", tr("To the lobby")]],
  },
  game: {
    title: tr("This game is not here"),
    text: tr("No finished game has this address, or it was played in a private room. If it is still in play, it appears when it is over."),
    links: [
      ["/games", tr("Finished games")],
      ["/", tr("To the lobby")],
    ],
  },
  player: {
    title: tr("Nobody has this name"),
    text: tr("No player of this server has ever had this name. Check its spelling."),
    links: [
      ["/ratings", tr("Ratings")],
      ["/", tr("To the lobby")],
    ],
  },
  tournament: {
    title: tr("This tournament is not here"),
    text: tr("No tournament here has this address. The list has all that are open, running or over."),
    links: [
      ["/tournaments", tr("Tournaments")],
      ["/", tr("To the lobby")],
    ],
  },
  room: {
    title: tr("This room is not here"),
    text: tr("It has closed, or it never existed. Ask for a new link, or create a room."),
    links: [
      ["/", tr("To the lobby")],
      ["/games", tr("Finished games")],
    ],
  },
  full: {
    title: tr("This room is full"),
    text: tr("Both seats are taken. You can watch the game, or find another opponent in the lobby."),
    links: [["/", tr("To the lobby")]],
  },
  code: {
    title: tr("This room needs its code"),
    text: tr("The room is private, and the code in the link is missing or wrong. Ask the person who invited you for the whole link."),
    links: [["/", tr("To the lobby")]],
  },
  closed: {
    title: tr("This room is closed"),
    text: tr("Its players have left. You can review the game, or find an opponent in the lobby."),
    links: [
      ["/", tr("To the lobby")],
      ["/games", tr("Finished games")],
    ],
  },
  browser: {
    title: tr("This browser is too old"),
    text: tr("The page needs Firefox 113, Chrome 111, Edge 111, Safari 16.4 or later."),
    links: [],
  },
  server: {
    title: tr("The server does not answer"),
    text: tr("It may be restarting, or you are offline. The page tries again by itself; no game is lost."),
    links: [["/", tr("To the lobby")]],
  },
  page: {
    title: tr("This page could not be loaded"),
    text: tr("The connection broke off, or the server has a newer version of the page. Load it again."),
    links: [["/", tr("To the lobby")]],
  },
};

/**
 * @param {{app: import("../app/app.js").App, kind?: string, detail?: string, actions?: import("preact").ComponentChildren,
 *   children?: import("preact").ComponentChildren}} props `detail`: a sentence of the server
 */
export function ProblemPage({ app, kind = "address", detail = "", actions, children }) {
  const problem = PROBLEMS[kind] ?? PROBLEMS.address;
  useEffect(() => app.setTitle(problem.title), [problem.title]);
  return html`<div class="page narrow problem-page">
    <${LostEdge} />
    <h1>${problem.title}</h1>
    <p>${problem.text}</p>
    ${detail && html`<p class="muted small">${detail}</p>`} ${children}
    <div class="row problem-actions">
      ${actions}
      ${(kind === "page" || kind === "server") &&
      html`<button type="button" class="button primary" onClick=${() => location.reload()}>
          ${tr("Load again")}
        </button>`}
      ${problem.links.map(
        ([href, title], at) =>
          html`<${LinkButton} key=${href} href=${href} kind=${at || actions || kind === "page" || kind === "server" ? undefined : "primary"}>
            ${title}
          <//>`,
      )}
    </div>
  </div>`;
}

/** A box whose last edge is missing. */
function LostEdge() {
  return html`<svg class="lost-edge" viewBox="0 0 96 96" width="96" height="96" aria-hidden="true">
    <path class="lost-drawn" d="M20 20H76M20 20V76M20 76H76" />
    <path class="lost-missing" d="M76 28V68" />
    ${[
      [20, 20],
      [76, 20],
      [20, 76],
      [76, 76],
    ].map(([x, y]) => html`<circle class="lost-dot" cx=${x} cy=${y} r="6" />`)}
  </svg>`;
}
