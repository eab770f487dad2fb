// The people whom a player follows, blocks or mutes.

import { useEffect } from "preact/hooks";

/** @typedef {import("../../app/app.js").App} App */

/**
 * Return the people whom this player knows, and ask for them after each connect.
 * @param {App} app
 * @param {boolean} [wanted]
 */
export function usePeople(app, wanted = true) {
  const { people } = app;
  const connected = app.connected.value;
  const me = app.me.value;
  useEffect(() => {
    if (connected && wanted) void people.load();
  }, [connected, wanted, me]);
  return people;
}
