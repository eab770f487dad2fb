// What admins of the server can do, each as a form: its fields, its request, and what it says when it is done.

import { plural, tr } from "../texts.js";
import { HOURS, hoursTitle } from "./admin.js";

/**
 * A field of a form. `same` is a text that has to be typed; `needed` says what to do about an empty one.
 * @typedef {{name: string, label: string, initial?: string, hint?: string, needed?: string, same?: string,
 *   options?: {value: string, title: string}[]}} Input
 */
/**
 * `secret` is the label of the link of the answer, which is shown once.
 * @typedef {object} Action
 * @property {string} title
 * @property {string} about
 * @property {string} confirm the text of the button
 * @property {"primary" | "danger"} kind
 * @property {Input[]} inputs
 * @property {string} path
 * @property {(values: Record<string, string>) => object} body
 * @property {(values: Record<string, string>) => string} done
 * @property {string} [secret]
 */

const REASON = () => ({ name: "reason", label: tr("Reason, which the player sees") });

/** @returns {Input} */
function hours() {
  const options = HOURS.map((value) => ({ value, title: hoursTitle(value) }));
  return { name: "hours", label: tr("For how long"), initial: "24", options };
}

/** @param {Record<string, string>} values */
const banned = ({ hours, reason }) => ({ hours: hours === "" ? null : Number(hours), reason: reason.trim() });

/**
 * @param {string} player
 * @returns {Action}
 */
export function kick(player) {
  return {
    title: tr("Disconnect {player}?", { player }),
    about: tr("The connection ends. The player can come back at once; a ban prevents that."),
    confirm: tr("Disconnect"),
    kind: "danger",
    inputs: [REASON()],
    path: "/api/admin/kick",
    body: ({ reason }) => ({ player, reason: reason.trim() }),
    done: () => tr("{player} was disconnected.", { player }),
  };
}

/**
 * @param {string} player
 * @returns {Action}
 */
export function ban(player) {
  return {
    title: tr("Ban {player}?", { player }),
    about: tr("The player is disconnected and cannot come back until the ban ends or you lift it."),
    confirm: tr("Ban"),
    kind: "danger",
    inputs: [hours(), REASON()],
    path: "/api/admin/ban",
    body: (values) => ({ player, ...banned(values) }),
    done: () => tr("{player} is banned.", { player }),
  };
}

/**
 * @param {string} [network]
 * @returns {Action}
 */
export function banNetwork(network = "") {
  return {
    title: tr("Ban an address"),
    about: tr("Everybody who connects from there is disconnected and refused, also those who share the address."),
    confirm: tr("Ban"),
    kind: "danger",
    inputs: [
      {
        name: "network",
        label: tr("Address or network"),
        initial: network,
        hint: tr("Such as 192.0.2.7, 192.0.2.0/24 or 2001:db8::/32."),
        needed: tr("Type the address that you want to ban."),
      },
      hours(),
      REASON(),
    ],
    path: "/api/admin/ban",
    body: (values) => ({ network: values["network"]?.trim(), ...banned(values) }),
    done: () => tr("The address is banned."),
  };
}

/**
 * @param {string} ban_id
 * @param {string} who
 * @returns {Action}
 */
export function unban(ban_id, who) {
  return {
    title: tr("Lift the ban of {who}?", { who }),
    about: tr("Connections from there are welcome again at once."),
    confirm: tr("Lift the ban"),
    kind: "primary",
    inputs: [],
    path: "/api/admin/unban",
    body: () => ({ ban_id }),
    done: () => tr("The ban of {who} is lifted.", { who }),
  };
}

/**
 * @param {string} player
 * @returns {Action}
 */
export function rename(player) {
  return {
    title: tr("Rename {player}", { player }),
    about: tr("Games, tournaments and ratings follow. The player is disconnected and comes back with the new name."),
    confirm: tr("Rename"),
    kind: "primary",
    inputs: [{ name: "to", label: tr("New name"), needed: tr("Type the new name.") }],
    path: "/api/admin/rename",
    body: ({ to }) => ({ player, to: to.trim() }),
    done: () => tr("{player} has a new name.", { player }),
  };
}

/**
 * @param {string} player
 * @returns {Action}
 */
export function resetPassword(player) {
  return {
    title: tr("Reset the password of {player}?", { player }),
    about: tr("The password and all logins of the player end. You get a link to give to the player, who sets a new password with it."),
    confirm: tr("Reset the password"),
    kind: "danger",
    inputs: [],
    path: "/api/admin/password",
    body: () => ({ player }),
    done: () => tr("A link for {player}, for one day", { player }),
    secret: tr("Link"),
  };
}

/**
 * @param {string} player
 * @returns {Action}
 */
export function endSecondFactor(player) {
  return {
    title: tr("Ask {player} for no codes any more?", { player }),
    about: tr("For a player who has lost the phone and the recovery codes. Be sure that it is the player who asks: the password alone logs in then."),
    confirm: tr("Ask for no codes"),
    kind: "danger",
    inputs: [],
    path: "/api/admin/end-second-factor",
    body: () => ({ player }),
    done: () => tr("{player} logs in with the password alone now.", { player }),
  };
}

/**
 * @param {string} player
 * @returns {Action}
 */
export function endTokens(player) {
  return {
    title: tr("End all logins and tokens of {player}?", { player }),
    about: tr("The player and the programs with these tokens are disconnected and have to log in again."),
    confirm: tr("End them"),
    kind: "danger",
    inputs: [],
    path: "/api/admin/end-tokens",
    body: () => ({ player }),
    done: () => tr("All logins and tokens of {player} have ended.", { player }),
  };
}

/**
 * @param {string} player
 * @param {boolean} admin - whether the player is to be an admin
 * @returns {Action}
 */
export function grant(player, admin) {
  return {
    title: admin ? tr("Make {player} an admin?", { player }) : tr("Take the rights of an admin from {player}?", { player }),
    about: admin
      ? tr("Admins can do all that you can do here, also with your own account.")
      : tr("The account stays; it cannot manage the server any more."),
    confirm: admin ? tr("Make an admin") : tr("Take the rights"),
    kind: "danger",
    inputs: [],
    path: "/api/admin/grant",
    body: () => ({ player, admin }),
    done: () => (admin ? tr("{player} is an admin now.", { player }) : tr("{player} is no admin any more.", { player })),
  };
}

/**
 * @param {string} player
 * @returns {Action}
 */
export function remove(player) {
  return {
    title: tr("Delete {player}?", { player }),
    about: tr("The account, its tokens and its name are deleted. Its games stay for the opponents, under another name. This cannot be undone."),
    confirm: tr("Delete for good"),
    kind: "danger",
    inputs: [
      {
        name: "confirm",
        label: tr("Type the name again"),
        same: player,
        needed: tr("Type the name {player} to confirm.", { player }),
      },
    ],
    path: "/api/admin/delete-player",
    body: ({ confirm }) => ({ player, confirm: confirm.trim() }),
    done: () => tr("{player} is deleted.", { player }),
  };
}

/**
 * @param {string} room
 * @param {string} players
 * @returns {Action}
 */
export function closeRoom(room, players) {
  return {
    title: players ? tr("Close the room of {players}?", { players }) : tr("Close this room?"),
    about: tr("A match in it ends without a result. Players and spectators see the reason."),
    confirm: tr("Close the room"),
    kind: "danger",
    inputs: [REASON()],
    path: "/api/admin/close-room",
    body: ({ reason }) => ({ room, reason: reason.trim() }),
    done: () => tr("The room is closed."),
  };
}

/** @returns {Action} */
export function announce() {
  const minutes = ["0", "10", "60", "1440"];
  const title = (/** @type {string} */ value) => {
    const count = Number(value);
    if (count === 0) return tr("Those who are here now");
    return count < 60
      ? plural("Also those who come within 1 minute", "Also those who come within {n} minutes", count)
      : plural("Also those who come within 1 hour", "Also those who come within {n} hours", count / 60);
  };
  return {
    title: tr("Announce something"),
    about: tr("Everybody on the server sees it at the top, in the window and on the page."),
    confirm: tr("Announce"),
    kind: "primary",
    inputs: [
      { name: "text", label: tr("Announcement"), hint: tr("Leave it empty to end the last announcement.") },
      { name: "minutes", label: tr("Who sees it"), initial: "10", options: minutes.map((value) => ({ value, title: title(value) })) },
    ],
    path: "/api/admin/announce",
    body: ({ text, minutes }) => ({ text: text.trim(), minutes: Number(minutes) }),
    done: ({ text }) => (text.trim() ? tr("The announcement is sent.") : tr("The last announcement has ended.")),
  };
}

/**
 * @param {boolean} on - whether nothing new is to begin
 * @returns {Action}
 */
export function drain(on) {
  return {
    title: on ? tr("Let nothing new begin?") : tr("Open the server again?"),
    about: on
      ? tr("Running games go on. New rooms, offers and newcomers are refused, for example before a restart.")
      : tr("New rooms, offers and newcomers are welcome again."),
    confirm: on ? tr("Let nothing new begin") : tr("Open again"),
    kind: on ? "danger" : "primary",
    inputs: [],
    path: "/api/admin/drain",
    body: () => ({ on }),
    done: () => (on ? tr("Nothing new begins on this server.") : tr("The server is open again.")),
  };
}

/**
 * Return what is wrong with what was typed, by the names of the fields.
 * @param {Action} action
 * @param {Record<string, string>} values
 * @returns {Record<string, string>}
 */
export function problemsOf(action, values) {
  /** @type {Record<string, string>} */
  const found = {};
  for (const { name, needed = "", same } of action.inputs) {
    const text = (values[name] ?? "").trim();
    const wrong = same === undefined ? needed !== "" && text === "" : text !== same;
    if (wrong) found[name] = needed;
  }
  return found;
}
