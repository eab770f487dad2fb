"""Check the order in which the addresses of a server are tried, and which of them are trusted."""

from __future__ import annotations

from random import Random

import pytest

from doublecross.client.core.address import (
    MOST_ADDRESSES,
    Addresses,
    server_urls,
    shown_address,
    trusted,
)

A, B, C, D = (f"ws://{name}:8765" for name in "abcd")


def tried(addresses: Addresses, times: int) -> list[str]:
    """Return the next addresses of a client whose tries all fail."""
    found = []
    for _ in range(times):
        found.append(addresses.current)
        addresses.failed()
    return found


def test_a_list_of_addresses_becomes_urls() -> None:
    assert server_urls("a, b:9,,http://c:80 , ws://a:8765") == f"{A},ws://b:9,ws://c:80"
    assert server_urls("https://a,wss://b") == "wss://a:443,wss://b:443"
    assert server_urls(server_urls("a,b")) == f"{A},{B}"
    assert shown_address(f"{A},ws://b:9") == "a, b:9"


@pytest.mark.parametrize(
    ("text", "part"),
    [
        (" , ", "not a server address"),
        ("a,b c", "'b c' is not a server address"),
        ("wss://a,b", "Some of these addresses are encrypted"),
    ],
)
def test_a_wrong_list_is_refused_with_a_sentence(text: str, part: str) -> None:
    with pytest.raises(ValueError, match=r"\.$") as caught:
        server_urls(text)
    assert part in str(caught.value)


def test_the_first_tries_go_round_in_the_order_of_the_person() -> None:
    addresses = Addresses("a,b", Random(1), [B, C])
    assert len(addresses) == 3
    assert tried(addresses, 5) == [A, B, C, A, B]
    assert [addresses.failed() for _ in range(6)] == [True, False, False, True, False, False]


def test_one_address_is_a_round() -> None:
    addresses = Addresses("a", Random(1))
    addresses.lost()
    assert addresses.current == A
    assert addresses.failed()
    assert addresses.current == A


def test_after_a_break_the_others_come_first_in_random_order() -> None:
    firsts = set()
    for seed in range(30):
        addresses = Addresses("a,b,c,d", Random(seed))
        addresses.welcomed(())
        addresses.lost()
        order = tried(addresses, 4)
        assert sorted(order) == [A, B, C, D]
        assert order[3] == A
        firsts.add(order[0])
    assert firsts == {B, C, D}


def test_a_welcome_replaces_what_the_server_named_before() -> None:
    addresses = Addresses("a", Random(1), ["ws://old:1"])
    assert addresses.learned == ("ws://old:1",)
    addresses.welcomed([A, B, C])
    assert addresses.learned == (A, B, C)
    addresses.lost()
    gone = addresses.current
    addresses.failed()
    here = addresses.current
    assert {gone, here} == {B, C}
    addresses.welcomed([D])
    assert addresses.current == here, "the address in use stays until the connection breaks"
    addresses.lost()
    assert set(tried(addresses, 3)) == {A, D, here}
    assert addresses.learned == (D,)


def test_a_try_that_works_ends_the_round() -> None:
    addresses = Addresses("a,b,c", Random(1))
    assert not addresses.failed()
    assert not addresses.failed()
    addresses.welcomed(())
    assert not addresses.failed()


def test_a_token_goes_only_where_it_is_as_safe() -> None:
    named = ["wss://b", "ws://c", "https://d:444", "not an address", "wss://localhost", "b"]
    assert trusted("wss://a:443", named) == ("wss://b:443", "wss://d:444")
    assert trusted(A, named) == ("ws://c:8765", B)
    assert trusted("ws://127.0.0.1:1", ["ws://127.0.0.1:2"]) == ("ws://127.0.0.1:2",)
    assert trusted(A, ["ws://127.0.0.1:2", "ws://[::1]:3", "ws://app.localhost"]) == ()
    assert len(trusted(A, [f"host{n}" for n in range(99)])) == MOST_ADDRESSES
    addresses = Addresses("wss://a", Random(1), ["ws://b"])
    addresses.welcomed(["ws://b", "ws://c"])
    assert len(addresses) == 1
