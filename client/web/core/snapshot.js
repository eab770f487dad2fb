// Derive the first and the last event of a match from a snapshot of its room.

/** @import { MatchFinished, MatchStarted, Snapshot } from "./messages.js" */

/**
 * Return the event that started the current match, or null when none has started.
 * @param {string} room
 * @param {Snapshot} snapshot
 * @returns {MatchStarted | null}
 */
export function startOf(room, snapshot) {
  const [first, second] = snapshot.players;
  if (snapshot.match === 0 || first === null || second === null) return null;
  return {
    ...numbered(room, snapshot),
    type: "match_started",
    players: [first.name, second.name],
    // After a move nobody knows any more who began; no use of this event depends on it.
    to_move: snapshot.moves.length === 0 ? (snapshot.to_move ?? 0) : 0,
    clock_ms: null,
    board: null,
  };
}

/**
 * Return the event that ended the current match, or null when it goes on.
 * @param {string} room
 * @param {Snapshot} snapshot
 * @returns {MatchFinished | null}
 */
export function endOf(room, snapshot) {
  const { match, result, scores, clock_ms } = snapshot;
  if (match === 0 || result === null) return null;
  const known = { ...result, scores, clock_ms, both_moved: true };
  return { ...numbered(room, snapshot), ...known, type: "match_finished" };
}

/**
 * @param {string} room
 * @param {Snapshot} snapshot
 */
function numbered(room, { seq, match, started_at }) {
  // Events are numbered from 1, but a snapshot before the first one has the number 0.
  return { room, seq: Math.max(1, seq), id: null, match, at: started_at ?? 0 };
}
