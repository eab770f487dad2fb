// Describe the page's client field by field, as tests/client/web/sessions/dump.py describes the
// client in Python.

/** Return everything that the client shows at `now`, by dotted names. */
export function dump(session, queue, now) {
  const found = {
    player: session.player,
    epoch: session.epoch,
    rooms: [...session.rooms.keys()],
    offers: [...session.offers.values()].map(({ offer, request, withdrawn }) => [
      offer,
      request.id,
      request.key,
      withdrawn,
    ]),
    challenges: [...session.challenges.values()],
    pending: [...queue.pending].map(([id, each]) => [
      id,
      each.stage,
      each.awaited,
      each.match,
      each.sends,
      each.refusals,
      each.sentAt,
      each.retryAt,
    ]),
    waitS: queue.waitS(now),
    unansweredSince: queue.unansweredSince,
  };
  if (session.reviews.size > 0) found.reviews = [...session.reviews.values()];
  if (session.lobby !== null) {
    found["lobby.stale"] = session.lobby.stale;
    for (const name of ["players", "seeks", "rooms", "tournaments", "ratings"]) {
      found[`lobby.${name}`] = [...session.lobby[name].values()];
    }
  }
  for (const [number, mirror] of [...session.rooms.values()].entries()) {
    for (const [name, value] of Object.entries(roomDump(mirror, now))) {
      found[`${number}.${name}`] = value;
    }
  }
  return found;
}

function roomDump(mirror, now) {
  const { clock, started, lastMove } = mirror;
  return {
    seq: mirror.seq,
    seat: mirror.seat,
    players: mirror.players,
    private: mirror.private,
    tag: mirror.tag,
    ...(mirror.askedBy === null ? {} : { askedBy: mirror.askedBy }),
    status: mirror.status,
    match: mirror.match,
    settings: mirror.settings,
    opening: mirror.opening,
    moves: mirror.moves,
    cells: mirror.board.cells,
    legal: mirror.board.legal,
    winning: mirror.board.winning,
    toMove: mirror.toMove,
    myTurn: mirror.myTurn,
    scores: mirror.scores,
    clock: [clock.ms, clock.mover, clock.runs],
    left: [clock.remainingMs(now), clock.moveLeftMs(now), clock.budgetMs(now)],
    claimAt: mirror.claimAt,
    presence: [
      ...mirror.presence.seats.map((seat) => [seat.connected, seat.claim_in_ms]),
      mirror.presence.spectators,
    ],
    rematch: mirror.rematch,
    takebacks: mirror.takebacks,
    ...(mirror.takeback === null ? {} : { takeback: mirror.takeback }),
    result: mirror.result,
    expected: mirror.expected,
    started: started && [started.seq, started.match, ...started.players],
    lastMove: lastMove && [
      lastMove.seq,
      lastMove.ply,
      lastMove.seat,
      lastMove.action,
      lastMove.elapsed_ms,
    ],
    finished: mirror.finished,
    code: mirror.code,
    sentence: mirror.sentence,
  };
}

/** Return an answer; of one that the server sent only what tells it apart. */
export function answered(answer, derived) {
  const { type, id, code } = answer;
  if (!derived) return { type, id, code };
  const { to_move: _, ...rest } = answer;
  return answer.type === "match_started" ? rest : answer;
}

/** Return an update; of large messages only what tells them apart. */
export function shownUpdate(update) {
  const { kind } = update;
  switch (kind) {
    case "room":
      return { ...update, event: update.event && [update.event.seq, update.event.type] };
    case "roomLost":
      return { kind, room: update.room }; // the sentences about contradictions differ
    case "lobby":
      return { kind, whole: update.change === null };
    case "challenge":
      return { kind, challenge: update.challenge.challenge };
    case "tournament": {
      const { tournament, status, games_played, entrants } = update.state;
      return { kind, state: [tournament, status, games_played, entrants.length] };
    }
    default:
      return update;
  }
}
