// Follow the server's lobby while its page is shown.

/** @typedef {{players?: number, seeks?: number, rooms?: number}} Totals how many there are, if more than are listed */

/** Time between two requests if the server refuses, in milliseconds. */
const AGAIN_MS = 5000;
/** A list that is at least so long may have been cut by the server. */
const LONG = 100;

/** How long the request to stop waits for a lost connection, in seconds. */
const PATIENCE_S = 3600;

/**
 * Ask for the lobby and its changes, once the connection is up.
 * @param {import("../../app/app.js").App} app
 * @param {(totals: Totals) => void} onTotals
 * @returns {() => void} stops asking; the server goes on until `leaveLobby`
 */
export function followLobby(app, onTotals) {
  let wanted = true;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const ask = async () => {
    try {
      const state = await app.request({ type: "follow_lobby" });
      if (!wanted) return;
      onTotals({
        players: unlisted(state.players, state.players_total),
        seeks: unlisted(state.seeks, state.seeks_total),
        rooms: unlisted(state.rooms, state.rooms_total),
      });
    } catch (error) {
      if (!wanted || !app.connected.peek()) return;
      app.complain(error);
      timer = setTimeout(ask, AGAIN_MS);
    }
  };
  void ask();
  return () => {
    wanted = false;
    clearTimeout(timer);
  };
}

/**
 * Stop following the lobby. Without a connection that waits for the next one, which would bring the
 * lobby again.
 * @param {import("../../app/app.js").App} app
 */
export function leaveLobby(app) {
  app.link.request({ type: "follow_lobby", on: false }, PATIENCE_S).catch(() => {});
}

/**
 * Return the total if the server lists only a part, otherwise undefined. The total of the rooms also
 * counts private ones, so a short list tells nothing.
 * @param {readonly unknown[]} list
 * @param {number} total
 */
function unlisted(list, total) {
  return list.length >= LONG && total > list.length ? total : undefined;
}
