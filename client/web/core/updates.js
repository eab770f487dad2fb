// The updates of a session: small objects that name what changed.

/**
 * @import { Challenged, LobbyChanged, OfferEnded, RoomEvent, Said, TournamentState, YourTurn }
 *   from "./messages.js"
 */

/**
 * A followed room has changed. `event` is the event that changed it. Null means that the room came
 * as a whole, because it is newly followed or because events were missed.
 * @typedef {{kind: "room", room: string, event: RoomEvent | null}} RoomChanged
 */

/**
 * The people present in a followed room have changed.
 * @typedef {{kind: "presence", room: string}} PresenceChanged
 */

/**
 * A player of a followed room has said a phrase of the protocol.
 * @typedef {{kind: "phrase", room: string, seat: number, phrase: string}} PhraseHeard
 */

/**
 * Somebody has said something in a room, in words of their own.
 * @typedef {{kind: "said", said: Said}} WordsHeard
 */

/**
 * This client has left the room and no longer follows it.
 * @typedef {{kind: "roomLeft", room: string}} RoomLeft
 */

/**
 * The room can no longer be followed: the server has no such room, or its description of the room
 * contradicts itself. The room's mirror, if there was one, is closed.
 * @typedef {{kind: "roomLost", room: string, sentence: string}} RoomLost
 */

/**
 * A seek or challenge of this player led to a room, which is now followed. `origin` is the id of
 * the offer. A `room` update comes next.
 * @typedef {{kind: "seated", room: string, origin: string}} SeatedByOffer
 */

/**
 * A new room has a seat for this player, and no request or offer of this client led to it, but a tournament
 * or another connection of the player. A `room` update comes next.
 * @typedef {{kind: "seatGiven", room: string}} SeatGiven
 */

/**
 * The lobby has changed. `change` is null when the lobby came as a whole.
 * @typedef {{kind: "lobby", change: LobbyChanged | null}} LobbyUpdated
 */

/**
 * Another player has challenged this one to a match.
 * @typedef {{kind: "challenge", challenge: Challenged}} ChallengeReceived
 */

/**
 * A seek or challenge, by or to this player, ended without a match.
 * @typedef {{kind: "offerClosed", offer: string, outcome: OfferEnded["outcome"], reason: string}}
 *   OfferClosed
 */

/**
 * A seek or challenge of this player was renewed after a reconnect and has a new id.
 * @typedef {{kind: "offerRenewed", old: string, new: string}} OfferRenewed
 */

/**
 * A tournament of this player has started or ended, or this client asked for its state.
 * @typedef {{kind: "tournament", state: TournamentState}} TournamentChanged
 */

/**
 * The review of a finished game has changed; `session.reviews` has it.
 * @typedef {{kind: "review", game: string}} ReviewChanged
 */

/**
 * The list of this player's games in play has come; `session.openGames` has it.
 * @typedef {{kind: "openGames"}} OpenGamesListed
 */

/**
 * It is this player's turn in a game by days whose room this client does not follow.
 * @typedef {{kind: "yourTurn", notice: YourTurn}} TurnCame
 */

/**
 * The host of the server tells all players something, until a date if there is one; an empty text ends it.
 * @typedef {{kind: "announcement", text: string, untilMs: number | null}} Announced
 */

/**
 * The server shuts down in `graceMs` milliseconds. This client reconnects by itself.
 * @typedef {{kind: "closing", graceMs: number}} ServerClosing
 */

/**
 * The connection is back. Each room reports by updates of its own what changed meanwhile.
 * `epochChanged` is true when the server was restarted in between.
 * @typedef {{kind: "reconnected", epochChanged: boolean}} Reconnected
 */

/**
 * The server cannot store what this client asked for; the client goes on trying.
 * @typedef {{kind: "storageFailing"}} StorageFailing
 */

/**
 * The server stores again what this client asks for.
 * @typedef {{kind: "storageRecovered"}} StorageRecovered
 */

/**
 * The state of the link has changed; see `Link`.
 * @typedef {{kind: "link"}} LinkChanged
 */

/**
 * The server does not know the stored player any more, so this client has to join as a new one.
 * @typedef {{kind: "playerForgotten", sentence: string}} PlayerForgotten
 */

/**
 * The login of this player's account has ended, so the person has to log in again.
 * @typedef {{kind: "loginEnded"}} LoginEnded
 */

/**
 * @typedef {RoomChanged | PresenceChanged | PhraseHeard | WordsHeard | RoomLeft | RoomLost | SeatedByOffer | SeatGiven | LobbyUpdated
 *   | ChallengeReceived | OfferClosed | OfferRenewed | TournamentChanged | ReviewChanged
 *   | OpenGamesListed | TurnCame | Announced | ServerClosing | Reconnected | StorageFailing | StorageRecovered | LinkChanged
 *   | PlayerForgotten | LoginEnded} Update
 */

export {};
