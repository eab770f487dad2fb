// The curve of a line of an analysis board: the lead after each move, and what is known of where it leads.

import { html } from "../../html.js";
import { LeadCurve } from "../common/lead-curve.js";

/** @import { GamePosition } from "../../types/api.js" */
/** @import { ExpectedScore } from "../../models/review/types" */

/**
 * @param {{line: readonly number[], get: (moves: readonly number[]) => GamePosition | undefined,
 *   valueOf: (moves: readonly number[]) => ExpectedScore | null, players: readonly string[], ply: number,
 *   onPly: (ply: number) => void}} props `get`: undefined: the position is being fetched; `valueOf`: null: nobody has asked
 */
export function LineCurve({ line, get, valueOf, players, ply, onPly }) {
  const plies = [...line.map((_, at) => at), line.length];
  const places = plies.map((at) => line.slice(0, at));
  const nets = places.map(get).flatMap((each) => (each ? [each.scores[0] - each.scores[1]] : []));
  if (nets.length < plies.length) return null;
  const values = places.map(valueOf);
  return html`<${LeadCurve} players=${players} nets=${nets} values=${values.some(Boolean) ? values : null} ply=${ply} onPly=${onPly} />`;
}
