// Follow the server's lobby while its page is shown.

/** Time between two requests if the server refuses, in milliseconds. */
const AGAIN_MS = 5000;

/**
 * Ask for the lobby and its changes.
 * @param {import("../../app/app.js").App} app
 * @param {(totals: import("../lobby.js").Totals) => void} onTotals
 * @returns {() => void} stops following
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
        players: state.players_total,
        seeks: state.seeks_total,
        rooms: state.rooms_total,
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
    if (app.connected.peek()) app.request({ type: "follow_lobby", on: false }).catch(() => {});
  };
}
