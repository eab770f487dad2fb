// Ask for a name before somebody else sees it: a visitor plays bots without one, or under that of a guest.

/**
 * What this file needs of the app.
 * @typedef {{named: boolean, naming: ((named: boolean) => void) | null, dialog: {value: unknown},
 *   session: import("../core/session.js").Session}} App
 */

/** What other people see. A challenge to a bot is not one of them, nor is a room for two people at one screen. */
const SEEN = new Set([
  "quick_match",
  "accept_seek",
  "accept_challenge",
  "join_room",
  "join_tournament",
  "create_tournament",
]);

/**
 * Whether a request of this player needs a name that the person has chosen.
 * @param {App} app
 * @param {{type: string, player?: string}} message
 */
export function needsName(app, message) {
  if (app.named) return false;
  if (message.type !== "challenge") return SEEN.has(message.type);
  return app.session.lobby?.players.get(message.player ?? "")?.kind !== "bot";
}

/**
 * Do something at once, or after the person has chosen a name.
 * @param {App} app
 * @param {() => void} run
 */
export function withName(app, run) {
  void askName(app).then((named) => named && run());
}

/**
 * Resolve with whether the person has a name of their own; ask for one if not.
 * @param {App} app
 * @returns {Promise<boolean>}
 */
export function askName(app) {
  if (app.named) return Promise.resolve(true);
  app.naming?.(false); // an earlier question, which this one replaces
  return new Promise((resolve) => {
    app.naming = resolve;
    app.dialog.value = "name";
  });
}
