// The review of a finished game at /game/ID: load it, then step through it.

import { useState } from "preact/hooks";

import { offersOf } from "../app/catalogue.js";
import { html } from "../html.js";
import { VERSION } from "../models/review/analysis.js";
import { Report } from "../models/review/report.js";
import { Review } from "../models/review/review.js";
import { ApiError, getJson } from "../net/api.js";
import { tr } from "../texts.js";
import { Field } from "../widgets/field.js";
import { Shown, useLoaded } from "./common/load.js";
import { useTitle } from "./common/parts.js";
import { readPlace } from "./game/address.js";
import { positionQuery } from "./game/query.js";
import { ReviewView } from "./game/view.js";
import { ProblemPage } from "./problem.js";

/** @import { GameAnswer, Positions } from "../types/api.js" */
/** @typedef {import("../app/app.js").App} App */

/** @param {{app: App, params: {id: string}}} props */
export function GamePage({ app, params }) {
  const { id } = params;
  const place = readPlace(location.hash);
  const [code, setCode] = useState(place.code);
  const access = { code, token: app.identity.token ?? null };
  const loaded = useLoaded((signal) => loadReview(app, id, access, signal), `${id} ${code}`);
  useTitle(app, loaded.value === null ? tr("Review") : loaded.value.game.players.join(" - "));
  if (loaded.error?.status === 404) {
    return html`<${ProblemPage} app=${app} kind="game" detail=${code ? loaded.error.sentence : ""}>
      <${CodeForm} wrong=${code !== ""} onCode=${setCode} />
    <//>`;
  }
  return html`<div class="page study-page">
    <${Shown} app=${app} loaded=${loaded} what=${tr("the game")}>
      ${(/** @type {Review} */ review) =>
        html`<${ReviewView} key=${review.game.id} app=${app} review=${review} access=${access} ply=${place.ply} back=${["/games", tr("Games")]} />`}
    <//>
  </div>`;
}

/**
 * Load a game with all its positions. A private game needs its code, or the token of a player of
 * it. Public games are asked for without a token, so that everybody shares one answer.
 *
 * @param {App} app
 * @param {string} id
 * @param {{code: string, token: string | null}} access
 * @param {AbortSignal} signal
 * @returns {Promise<Review>}
 */
async function loadReview(app, id, { code, token }, signal) {
  const path = `/api/games/${encodeURIComponent(id)}`;
  /** @type {GameAnswer} */
  let game;
  /** @type {(more: string) => Promise<any>} */
  let get = (more) => getJson(path + more, { code }, { signal });
  try {
    game = await get("");
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404 || !token) throw error;
    get = (more) => getJson(path + more, {}, { token, signal });
    game = await get("");
  }
  /** @type {[import("../types/api.js").GameGeometry, Positions, import("../types/api.js").Catalogue, {report: import("../models/review/types").ReviewReport | null}]} */
  const [geometry, { positions }, { games }, { report }] = await Promise.all([
    app.geometry(game.game, game.params),
    getJson("/api/positions", positionQuery(game, game.moves), { signal }),
    app.catalogue(),
    // The game can be shown without it.
    get("/report").catch(() => ({ report: null })),
  ]);
  const review = new Review(game, geometry, positions, offersOf(games, game.game));
  if (report?.version === VERSION) review.report = new Report(report, geometry, game.players);
  return review;
}

/** @param {{wrong: boolean, onCode: (code: string) => void}} props */
function CodeForm({ wrong, onCode }) {
  const [text, setText] = useState("");
  return html`<form
    class="row filters"
    onSubmit=${(/** @type {Event} */ event) => {
      event.preventDefault();
      if (text.trim()) onCode(text.trim());
    }}
  >
    <${Field}
      label=${tr("Code of the private room")}
      value=${text}
      onInput=${setText}
      maxlength=${64}
      problem=${wrong ? tr("With this code the game is not here either.") : ""}
    />
    <button type="submit" class="button">${tr("Show the game")}</button>
  </form>`;
}
