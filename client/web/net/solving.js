// Ask the server about puzzles to solve, as a player or as a visitor without a name.

import { getJson } from "./api.js";

/** @import { NextAnswer, Solver } from "../types/api.js" */

/**
 * Ask, and keep the solver of the answer. Only a visitor's browser sends it; the server knows that of a player.
 * @template {{solver?: Solver | null}} T
 * @param {import("../app/app.js").App} app
 * @param {"next" | "attempt" | "storm"} what
 * @param {object} body
 * @returns {Promise<T>}
 */
export async function askSolving(app, what, body) {
  // Another tab may have chosen a name meanwhile.
  if (app.identity.token === null) app.identity.reload();
  const { token } = app.identity;
  const solver = token === null ? app.storage.get("solver") : undefined;
  /** @type {T} */
  const answer = await getJson(`/api/solving/${what}`, {}, { token, body: { ...body, solver } });
  if (answer.solver) app.storage.set("solver", answer.solver);
  return answer;
}

/** The theme of the puzzles that come next, as long as nobody chooses another. */
export const THEME = "puzzleTheme";

/**
 * Show the next puzzle of the chosen theme.
 * @param {import("../app/app.js").App} app
 * @param {{but?: string, replace?: boolean}} [how] `but`: the one that is shown now
 */
export async function showNext(app, { but, replace = false } = {}) {
  /** @type {NextAnswer} */
  const { puzzle } = await askSolving(app, "next", { kind: app.storage.get(THEME) || null, but });
  app.navigate(`/puzzle/${puzzle}`, { replace });
}
