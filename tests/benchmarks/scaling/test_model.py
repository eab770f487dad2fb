"""The model with numbers that can be done by hand."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from math import exp, isinf

import pytest

from benchmarks.scaling import model
from benchmarks.scaling.load import Load, meanings
from benchmarks.scaling.traffic import traffic

QUIET = Load(
    processes=4,
    connections=800,
    playing=0.5,
    watching=0.1,
    lobby=0.05,
    watchers_each=4,
    moves_per_s=0.5,
    moves_each=50,
    visit_s=100,
    newcomers=0.25,
    turns_per_s=1e12,  # so every item is a batch of its own
)


def costs(**values: float) -> dict[str, float]:
    """Return costs of which all others are 0."""
    return defaultdict(float, values)


def test_traffic() -> None:
    found = traffic(QUIET)
    assert (found.players, found.rooms, found.watchers, found.followers) == (400, 200, 80, 40)
    assert (found.moves, found.copies, found.matches, found.logins) == (100, 40, 2, 8)
    assert found.opened == 1
    assert found.elsewhere == 0.375  # one player of two, at one of the three other nodes of four
    assert traffic(replace(QUIET, elsewhere=1.0)).elsewhere == 1
    assert traffic(replace(QUIET, elsewhere=1.0, processes=1)).elsewhere == 0


def test_a_move_of_two_players_elsewhere_crosses_three_times() -> None:
    load = replace(QUIET, elsewhere=1.0, watching=0.0)
    over = model.links(load, traffic(load), costs(item_bytes=100, beat_bytes=40))
    assert over.items == 300  # a request to the room, and an event to each player
    assert over.pairs == 12
    assert over.batches == pytest.approx(300, rel=1e-3)
    # In half a second a pair has 12.5 batches on average, and hardly ever none.
    assert over.beats == pytest.approx(24 * exp(-12.5), rel=1e-3)
    sent = over.batches + over.beats
    assert over.bytes == pytest.approx(300 * 60 + sent * 40)


def test_quick_matches_are_left_over_where_an_odd_number_comes_before_a_sweep() -> None:
    many = replace(QUIET, connections=800_000, kinds=10)
    assert traffic(many).seeks == pytest.approx(10 * 4 / 2)
    few = replace(QUIET, connections=800, kinds=1000)
    assert traffic(few).seeks == pytest.approx(2 * traffic(few).opened, rel=0.01)


def test_items_of_the_leader_share_batches_when_there_are_many() -> None:
    load = replace(QUIET, processes=101, connections=10_100_000)
    found = traffic(load)
    over = model.leader_items(load, found, model.lobby(load, found, costs()))
    # One batch in 50 ms on each of 100 links, in each direction.
    assert over.received == pytest.approx(2000, rel=1e-3)
    assert over.sent == pytest.approx(2000, rel=1e-3)
    assert over.items > 100_000
    found = traffic(QUIET)
    few = model.leader_items(QUIET, found, model.lobby(QUIET, found, costs()))
    assert few.received + few.sent == pytest.approx(few.items, rel=0.02)


def test_spectators_of_a_room_cross_once_for_each_node() -> None:
    load = replace(QUIET, elsewhere=0.0)
    over = model.links(load, traffic(load), costs())
    # Four spectators at four nodes reach 3 * (1 - (3/4)**4) of the three others; 20 rooms do.
    assert over.items == over.crossings == pytest.approx(20 * 0.5 * 3 * (1 - 0.75**4))


def test_idle_links_beat_twice_a_second_between_all_pairs() -> None:
    for processes, beats in ((1, 0), (2, 4), (3, 12), (100, 19_800)):
        load = replace(QUIET, processes=processes, connections=0)
        assert model.links(load, traffic(load), costs()).beats == beats


def test_many_items_of_one_turn_are_one_batch() -> None:
    load = replace(QUIET, connections=8_000_000, turns_per_s=1000.0)
    over = model.links(load, traffic(load), costs())
    assert over.batches == pytest.approx(over.pairs * 1000)
    assert over.items > 10 * over.batches


def test_commits_are_as_many_as_moves_until_a_log_is_busy() -> None:
    few = replace(QUIET, processes=1, connections=8, commit_ms=2.0, logs=1)
    stored, share = model.commits(few, traffic(few))
    events = 1.1  # one move and its share of the five other events of a match
    assert stored == pytest.approx(events / (1 + events * 0.003))
    assert share == pytest.approx(stored * 0.002)
    many = replace(few, connections=80_000_000)
    assert model.commits(many, traffic(many))[0] == pytest.approx(1 / 0.003, rel=1e-3)


def test_a_node() -> None:
    used = model.node(QUIET, costs(move_us=40, copy_us=10, commit_loop_us=0))
    assert used["moves and sockets"] == pytest.approx(100 * 40e-6 / 4)
    assert used["spectators"] == pytest.approx(40 * 10e-6 / 4)
    assert used["links: moves"] == used["commits and leases"] == 0
    leases = model.node(replace(QUIET, connections=0), costs(renewal_loop_us=50))
    assert leases["commits and leases"] == pytest.approx(2 * 50e-6)


def test_the_leader_has_all_logins_and_matches_and_no_moves() -> None:
    one = costs(
        leader_hello_us=1000, leader_newcomer_us=2000, leader_match_ended_us=30, move_us=1e9
    )
    used = model.leader(QUIET, one)
    assert used["logins"] == pytest.approx(6 * 1000e-6 + 2 * 2000e-6)
    assert used["reports of rooms"] == pytest.approx(2 * 30e-6)
    assert sum(used.values()) == pytest.approx(10 * 1000e-6 + 2 * 30e-6)
    more = model.leader(replace(QUIET, processes=40), one)
    assert more["logins"] == used["logins"]


def test_updates_of_the_lobby_are_about_what_its_lists_show() -> None:
    one = costs(lobby_line_bytes=200, lobby_player_bytes=100)
    small = model.lobby(QUIET, traffic(QUIET), one)
    # A room that opens changes three lines and brings two ratings, a match changes two lines and
    # two ratings, and a login three lines of players.
    assert (small.lines, small.rooms) == (3 + 4 + 24 + 4 + 2, 7)
    assert (small.bytes, small.updates) == (7 * 200 + 30 * 100, 4)
    # With more rooms than places, only those in the list count, however many there are.
    large = replace(QUIET, connections=80_000_000)
    full = model.lobby(large, traffic(large), one)
    larger = replace(QUIET, connections=800_000_000)
    assert full.rooms == pytest.approx(700_000 * 200 / 20_000_000)
    assert model.lobby(larger, traffic(larger), one).lines == pytest.approx(full.lines)
    nobody = replace(QUIET, connections=0)
    assert model.lobby(nobody, traffic(nobody), one).updates == 0


def test_the_lobby_costs_the_leader_the_same_whoever_follows() -> None:
    one = costs(leader_following_node_us=10, copy_us=5)
    one |= {"gateway_lobby_us": 20.0, "gateway_lobby_encoded_us": 300.0}
    more = replace(QUIET, lobby=0.2)
    assert model.leader(more, one) == model.leader(QUIET, one)
    assert model.leader(QUIET, one)["updates of the lobby"] == pytest.approx(4 * 4 * 10e-6)
    assert model.node(more, one)["the lobby's followers"] == pytest.approx(160 / 4 * 4 * 5e-6)
    # Two logins a second at each node, and each of them comes after an update.
    assert model.node(more, one)["whole lobbies"] == pytest.approx(2 * 320e-6)


def test_a_message_of_nats_is_handled_by_two_servers_if_there_are_several() -> None:
    idle = replace(QUIET, connections=0, nats_servers=1)
    messages, size, used = model.nats(idle, costs(batch_nats_us=10, beat_bytes=80))
    assert messages == pytest.approx(24)
    assert size == pytest.approx(messages * 80)
    assert used == pytest.approx(messages * 10e-6)
    three = model.nats(replace(idle, nats_servers=3), costs(batch_nats_us=10))
    assert three[2] == pytest.approx(used * 5 / 3)


def test_postgres_has_renewals_of_all_nodes() -> None:
    idle = replace(QUIET, connections=0)
    one = costs(renewal_postgres_us=100)
    assert model.postgres(idle, one)[2] == pytest.approx(8 * 100e-6)
    many = replace(idle, processes=200)
    assert model.postgres(many, one)[2] == pytest.approx(400 * 2 * 100e-6)


def test_memory() -> None:
    one = costs(
        wire_bytes=10, gateway_connection_bytes=5, room_bytes=100, leader_connection_bytes=7
    )
    own, leader = model.memory(QUIET, one | {"process_bytes": 1000.0, "leader_room_bytes": 3.0})
    assert own == 1000 + (800 * 15 + 200 * 100) / 4
    assert leader == own + 800 * 7 + 200 * 3


def test_network() -> None:
    own, leader = model.network(QUIET, costs(move_bytes=34))
    assert own == (2 * 100 + 40) * 100 / 4
    nobody_plays = replace(QUIET, playing=0.0, watching=0.0)
    own, leader = model.network(nobody_plays, costs(lobby_state_bytes=1000))
    assert own == leader == 8 * 1000 / 4


def test_what_is_full_and_when() -> None:
    one = costs(leader_hello_us=1000, leader_newcomer_us=1000)
    named = {each.name: each for each in model.limits(QUIET, one)}
    assert named["processor of the leader"].share == pytest.approx(8 * 1000e-6 / 0.7)
    shares = [each.share for each in model.limits(QUIET, one)]
    assert shares == sorted(shares, reverse=True)
    # 700 logins a second fill it; each is one of 100 connections.
    assert model.full_at(QUIET, one, "processor of the leader") == pytest.approx(70_000, rel=2e-3)
    assert isinf(model.full_at(QUIET, one, "links of a node"))
    many = replace(QUIET, processes=2000)
    assert model.full_at(many, one, "links of a node") == 0


def test_storms() -> None:
    one = costs(room_taken_us=400, leader_hello_us=500, leader_back_us=10, leader_room_read_us=20)
    found = model.storms(replace(QUIET, stored_games=1000), one | {"game_read_us": 15.0})
    assert found["until the lease of a dead node lapses"] == 3
    assert found["rooms of a dead node restored, after that"] == pytest.approx(25 * 400e-6)
    assert found["its clients logged in again, by the leader alone"] == pytest.approx(200 * 500e-6)
    assert found["a new leader: all connections known"] == pytest.approx(800 * 10e-6)
    assert found["a new leader: all rooms read from the logs"] == pytest.approx(200 * 20e-6)
    assert found["a new leader: ratings from the stored games"] == pytest.approx(0.015)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"connections": -1}, "connections must not be negative"),
        ({"elsewhere": -0.5}, "elsewhere must not be negative"),
        ({"processes": 0}, "processes must be more than 0"),
        ({"playing": 0.9, "watching": 0.2}, "together must not be more than 1"),
        ({"new_rooms": 1.5}, "A share must not be more than 1"),
    ],
)
def test_impossible_loads_are_refused(changed: dict[str, float], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        replace(Load(), **changed)  # type: ignore[arg-type]


def test_each_assumption_says_what_it_is() -> None:
    assert all(len(what) > 5 for what in meanings().values())
