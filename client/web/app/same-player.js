// Keep all tabs of a browser at the same player: a login or a logout in one of them counts for all.

import { IDENTITY } from "../net/identity.js";

/**
 * Begin. A page that shows another player's things is loaded again.
 * @param {import("./app.js").App} app
 * @param {Window} window
 */
export function followPlayer(app, window) {
  const look = () => {
    const { identity, link } = app;
    identity.reload();
    if (link.state === "nameless") {
      if (identity.token !== null) link.start();
    } else if (identity.name !== app.me.peek() && app.me.peek()) window.location.reload();
    else if (link.ending === "revoked") link.takeOver();
  };
  app.storage.follow(IDENTITY, look);
  // A page that the browser kept for the back button has heard nothing meanwhile.
  window.addEventListener("pageshow", ({ persisted }) => persisted && look());
}
