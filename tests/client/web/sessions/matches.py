"""Scenes of play: whole games of every kind, rematches, time, absence, spectators."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from random import Random
from typing import Any, Final

from doublecross.games.registry import GAMES, make_game
from doublecross.protocol.client_messages import (
    AcceptChallenge,
    AnswerTakeback,
    AskTakeback,
    CreateRoom,
    DeclineChallenge,
    JoinRoom,
    Leave,
    Rematch,
    Resign,
    SayPhrase,
)
from doublecross.protocol.common import MatchSettings, TimeControl
from doublecross.server.core.rooms.room import Room
from tests.client.web.sessions.recorder import Other, Recorder, deliver
from tests.server.playing import TIMES, dots
from tests.server.world import World

SMALL: Final = {
    "dots-and-boxes": {"rows": 2, "cols": 2},
    "connect-four": {"rows": 4, "cols": 4},
}
"""Smaller boards than the usual ones, for short sessions."""


def given(settings: MatchSettings) -> dict[str, Any]:
    """Return settings as a request has them, without the fields that have their default."""
    return settings.model_dump(mode="json", exclude_defaults=True)


async def meet(
    settings: MatchSettings, *, seat: int = 0, world: World | None = None
) -> tuple[Recorder, Other, Room]:
    """Return the recorder Ann, who has taken `seat`, Bob in the other one, and their room."""
    world = world or await World().start()
    ann, bob = Recorder(world, "Ann"), Other(world, "Bob")
    await ann.connect()
    await ann.ask(
        "create_room",
        key="k1",
        settings=given(settings),
        seat=seat,
    )
    (room,) = world.authority.lobby.rooms.values()
    await bob.ask(JoinRoom, room=room.id)
    await ann.sync()
    return ann, bob, room


async def play_on(ann: Recorder, bob: Other, room: Room, rng: Random, plies: int = 1000) -> None:
    """Play random moves, for at most so many plies."""
    for _ in range(plies):
        match = room.match
        if match is None or match.state.is_terminal():
            return
        ann.world.time += 250
        mover = room.players[match.state.current_player()]
        action = rng.choice(match.state.legal_actions())
        assert mover is not None
        if mover.name == "Bob":
            await bob.move(room, action)
            await ann.sync()
        else:
            await move(ann, room, action)


async def move(ann: Recorder, room: Room, action: int) -> None:
    """Let the recorder play `action` in the current position."""
    assert room.match is not None
    match, ply = room.match_number, room.match.ply
    count = room.match.takebacks.count
    key = {"ply": ply, "takebacks": count} if count else {"ply": ply}
    await ann.ask("move", room=room.id, match=match, action=action, **key)


async def whole_takebacks() -> Recorder:
    """A game in which both people take back moves: agreed, declined, withdrawn and too late."""
    clock = TimeControl(base_ms=60_000, increment_ms=500)
    ann, bob, room = await meet(dots(2, 2, time=clock))
    rng = Random(6)

    async def ask(who: Recorder | Other, seat: int) -> dict[str, Any] | None:
        """Let `who` ask for the last own move; return the fields of the answer."""
        assert room.match is not None
        plies = [ply for ply, mover in enumerate(room.match.movers) if mover == seat]
        if not plies:
            return None
        key = {"ply": plies[-1], "takebacks": room.match.takebacks.count}
        fields = {"room": room.id, "match": room.match_number, **key}
        if isinstance(who, Recorder):
            await who.ask("ask_takeback", **fields)
        else:
            await who.ask(AskTakeback, **fields)
            await ann.sync()
        return fields

    for turn in range(7):
        await play_on(ann, bob, room, rng, plies=rng.choice([1, 2, 3]))
        if room.status != "playing":
            break
        if turn % 2 and (fields := await ask(bob, 1)):
            await ann.ask("answer_takeback", **fields, accept=turn % 3 != 0)
        elif fields := await ask(ann, 0):
            if turn == 4:
                await ann.ask("answer_takeback", **fields, accept=False)
                continue
            await bob.ask(AnswerTakeback, **fields, accept=True)
            await ann.sync()
            if turn == 0:
                await ann.ask("ask_takeback", **fields)
                await bob.ask(AnswerTakeback, **fields, accept=True)
    await ask(bob, 1)
    await play_on(ann, bob, room, rng, plies=3)
    await bob.ask(Resign, room=room.id)
    await ann.sync()
    await bob.ask(Rematch, room=room.id)
    await ann.sync()
    await ann.ask("rematch", room=room.id)
    await play_on(ann, bob, room, Random(1), plies=2)
    await ann.ask("resign", room=room.id)
    return ann


async def whole_game(game: str, seat: int) -> Recorder:
    """A game from the first to the last move, a rematch, and a resignation."""
    settings = MatchSettings(
        game=game, params=SMALL.get(game, {}), time=TimeControl(base_ms=60_000, increment_ms=500)
    )
    ann, bob, room = await meet(settings, seat=seat)
    await play_on(ann, bob, room, Random(seat))
    await bob.ask(Rematch, room=room.id)
    await ann.sync()
    await ann.ask("rematch", room=room.id)
    await play_on(ann, bob, room, Random(1), plies=3)
    await ann.ask("resign", room=room.id)
    await ann.ask("leave", room=room.id)
    return ann


async def openings() -> Recorder:
    """Games that begin after an opening, with the other seat to move in some of them."""
    world = await World().start()
    ann, bob = Recorder(world, "Ann"), Other(world, "Bob")
    await ann.connect()
    for game in GAMES:
        params = SMALL.get(game, {})
        actions = make_game(game, params).openings(Random(2), 1).found[0]
        settings = MatchSettings(game=game, params=params, opening=actions)
        made = await bob.ask(CreateRoom, key=f"k-{game}", settings=settings, seat=0)
        room = world.room(made["room"])
        await ann.ask("join_room", room=room.id)
        await play_on(ann, bob, room, Random(3), plies=2)
        await bob.ask(Resign, room=room.id)
        await ann.sync()
    return ann


async def time_runs_out() -> Recorder:
    """The opponent's clock runs out; in the next match the limit of a move does."""
    ann, bob, room = await meet(dots(time=TimeControl(base_ms=2000, move_ms=1500)))
    await play_on(ann, bob, room, Random(1), plies=1)
    for _ in range(8):
        ann.later(250)
        ann.step("look")
        await ann.sync()
    await ann.ask("rematch", room=room.id)
    await bob.ask(Rematch, room=room.id)
    await ann.sync()
    ann.later(1750)
    await ann.sync()
    return ann


async def absence() -> Recorder:
    """The opponent goes away, comes back, and loses after a second absence."""
    ann, bob, room = await meet(dots(time=TimeControl()))
    for back in (True, False):
        bob.leave()
        ann.later(500)
        await ann.sync()
        await ann.ask("claim", room=room.id)
        if back:
            bob = Other(ann.world, "Bob")
            await bob.ask(JoinRoom, room=room.id)
            ann.later(500)
            await ann.sync()
    ann.later(TIMES.grace_ms)
    await ann.ask("claim", room=room.id)
    ann.later(TIMES.linger_ms)
    await ann.sync()
    return ann


async def refused_moves() -> Recorder:
    """Moves that are illegal, too late, for another match or out of turn; an aborted match."""
    ann, bob, room = await meet(dots())
    await move(ann, room, 0)
    await ann.ask("move", room=room.id, match=1, ply=0, action=0)
    await ann.ask("move", room=room.id, match=1, ply=0, action=1)
    await ann.ask("move", room=room.id, match=1, ply=1, action=1)
    await ann.ask("move", room=room.id, match=2, ply=0, action=1)
    await bob.move(room, 1)
    await ann.sync()
    await ann.ask("move", room=room.id, match=1, ply=2, action=1)
    await ann.ask("move", room=room.id, match=1, ply=2, action=3, expected=1.5)
    await ann.ask("abort", room=room.id)
    await ann.ask("get_record", game_id="none")
    return ann


async def spectator() -> Recorder:
    """A spectator comes in the middle of a game, sees its end, the rematch, and leaves."""
    world = await World().start()
    ann, bob, zoe = Other(world, "Ann"), Other(world, "Bob"), Recorder(world, "Zoe")
    made = await ann.ask(CreateRoom, key="k", settings=dots(2, 2), seat=0)
    await bob.ask(JoinRoom, room=made["room"])
    room = world.room(made["room"])
    await zoe.connect()
    rng = Random(4)
    for ply in range(12):
        if ply == 3:
            await zoe.ask("watch", room=room.id)
        assert room.match is not None
        mover = ann if room.match.state.current_player() == 0 else bob
        await mover.move(room, rng.choice(room.match.state.legal_actions()))
        await zoe.sync()
    await ann.ask(Rematch, room=room.id)
    await zoe.sync()
    await bob.ask(Rematch, room=room.id)
    await zoe.sync()
    zoe.later(1000)
    await zoe.sync()
    await zoe.ask("resign", room=room.id)
    await zoe.ask("leave", room=room.id)
    await bob.ask(Resign, room=room.id)
    await zoe.sync()
    return zoe


async def phrases() -> Recorder:
    """Two people say phrases, one of them too many, also after the match and in the next one."""
    ann, bob, room = await meet(dots(1, 1))
    await bob.ask(SayPhrase, room=room.id, match=1, phrase="hello")
    await ann.sync()
    for _ in range(6):
        await ann.ask("say_phrase", room=room.id, match=1, phrase="good_luck")
    await bob.ask(Resign, room=room.id)
    await ann.sync()
    await bob.ask(SayPhrase, room=room.id, match=1, phrase="good_game")
    await ann.sync()
    await ann.ask("rematch", room=room.id)
    await bob.ask(Rematch, room=room.id)
    await ann.sync()
    await ann.ask("say_phrase", room=room.id, match=1, phrase="oops")
    await bob.ask(SayPhrase, room=room.id, match=2, phrase="have_fun")
    await ann.sync()
    return ann


async def arranged_match() -> Recorder:
    """Two bots play for somebody who loses the connection before they accept."""
    world = await World().start()
    ann, *bots = (
        Recorder(world, "Ann"),
        Other(world, "easy", bot=True),
        Other(world, "hard", bot=True),
    )
    asked = {"players": ["easy", "hard"], "settings": given(dots(1, 1))}
    await ann.connect()
    await ann.ask("arrange_match", key="k1", **asked)
    (offer,) = world.authority.lobby.arrangements
    await bots[1].ask(DeclineChallenge, challenge=offer, reason="I am busy.")
    await ann.sync()
    await ann.ask("arrange_match", key="k2", **asked)
    ann.lose()
    (offer,) = world.authority.lobby.arrangements
    first = AcceptChallenge(id=1, key="e", challenge=offer)
    await deliver(world, bots[0].peer, first)
    await ann.connect()
    state = await bots[1].ask(AcceptChallenge, key="h", challenge=offer)
    await ann.sync()
    room = world.room(state["room"])
    await bots[0].move(room, 0)
    await bots[1].ask(Resign, room=room.id)
    for bot in bots:
        await bot.ask(Leave, room=room.id)
    await ann.sync()
    return ann


async def private_room() -> Recorder:
    """A private room: its code in the answer, and a spectator who gives the code."""
    world = await World().start()
    ann, bob = Recorder(world, "Ann"), Other(world, "Bob")
    await ann.connect()
    await ann.ask("create_room", key="k1", settings=given(dots(1, 1)), private=True)
    made = await bob.ask(CreateRoom, key="k2", settings=dots(), private=True, seat=1)
    await Other(world, "Cat").ask(JoinRoom, room=made["room"], code=made["code"])
    await ann.ask("watch", room=made["room"], code="wrong")
    await ann.ask("watch", room=made["room"], code=made["code"])
    ann.lose()
    await ann.connect()
    await bob.ask(Resign, room=made["room"])
    await ann.sync()
    return ann


Scene = Callable[[], Awaitable[Recorder]]

SCENES: Final[dict[str, Scene]] = {
    **{f"whole-{game}": partial(whole_game, game, n % 2) for n, game in enumerate(GAMES)},
    "whole-takebacks": whole_takebacks,
    "openings": openings,
    "time-runs-out": time_runs_out,
    "absence": absence,
    "refused-moves": refused_moves,
    "spectator": spectator,
    "phrases": phrases,
    "arranged-match": arranged_match,
    "private-room": private_room,
}
