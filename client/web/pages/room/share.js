// Share a match that has just ended: its link, a picture of its end, and the whole game as a moving picture.

import { outer } from "../../address.js";
import { html } from "../../html.js";
import { gamePath } from "../../models/addresses.js";
import { tr } from "../../texts.js";
import { Dialog } from "../../widgets/dialog.js";
import { Share } from "../../widgets/share.js";
import { FileButtons } from "../common/pass-on.js";

/** @param {{app: import("../../app/app.js").App, room: import("./controller.js").RoomController, onClose: () => void}} props */
export function ShareDialog({ app, room, onClose }) {
  const { mirror, ending } = room.model;
  if (ending === null) return null;
  const players = [0, 1].map((seat) => room.model.name(seat));
  const url = location.origin + outer(gamePath(ending.gameId, mirror.code));
  const title = tr("{first} against {second}", { first: players[0], second: players[1] });
  const game = { id: ending.gameId, players, finished_ms: Date.now() };
  const access = { code: mirror.code ?? "", token: app.identity.token };
  return html`<${Dialog} title=${title} onClose=${onClose}>
    <${Share} app=${app} url=${url} title=${title} qr="hidden">
      <${FileButtons} app=${app} game=${game} ply=${null} access=${access} url=${url} title=${title} />
    <//>
  <//>`;
}
