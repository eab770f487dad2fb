// After a rated match: the new rating of the player.

import { useEffect, useState } from "preact/hooks";

import { html } from "../../html.js";
import { ratedMatch, ratingLine } from "../../models/room/rating.js";
import { getJson } from "../../net/api.js";
import { tr } from "../../texts.js";

/** @param {{room: import("./controller.js").RoomController}} props */
export function Rating({ room }) {
  room.version.value;
  const rated = ratedMatch(room.model);
  const [line, setLine] = useState("");
  useEffect(() => {
    if (rated === null) return;
    setLine(tr("This match counts for your rating."));
    const stop = new AbortController();
    /** @type {Promise<import("../../types/api.js").PlayerAnswer>} */
    const asked = getJson(`/api/players/${encodeURIComponent(rated.player)}`, {}, { signal: stop.signal });
    asked.then(
      ({ ratings }) => setLine(ratingLine(rated, ratings)),
      () => stop.signal.aborted || setLine(tr("Your new rating is shown in the lobby.")),
    );
    return () => stop.abort();
  }, [rated?.match]);
  return rated && html`<p class="room-lesson" role="status">${line}</p>`;
}
