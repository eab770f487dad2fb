"""Bans in memory: which account or address they concern, and that finding them costs little."""

from __future__ import annotations

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doublecross.server.core.errors import Refused
from doublecross.server.core.people.accounts import Ban
from doublecross.server.shell.accounts.bans import Bans


def ban(number: int, network: str | None, until: int | None = None, account: str = "") -> Ban:
    return Ban(f"b{number}", account or None, network, until, "", 0, "Boss")


NETWORKS = st.one_of(
    st.ip_addresses(v=4, network="192.0.2.0/28"), st.ip_addresses(v=6, network="2001:db8::/60")
).flatmap(
    lambda address: st.integers(24 if address.version == 4 else 56, address.max_prefixlen).map(
        lambda length: ipaddress.ip_network((address, length), strict=False)
    )
)


@given(st.lists(NETWORKS, max_size=6), NETWORKS, st.data())
def test_an_address_is_banned_if_a_network_that_has_all_of_it_is(
    networks: list[ipaddress.IPv4Network | ipaddress.IPv6Network],
    own: ipaddress.IPv4Network | ipaddress.IPv6Network,
    data: st.DataObject,
) -> None:
    bans = Bans(lambda: 10)
    all_bans = [ban(number, str(network)) for number, network in enumerate(networks)]
    bans.load(all_bans)
    lifted = data.draw(st.sampled_from(all_bans)) if all_bans else None
    if lifted is not None:
        bans.lift(lifted.ban_id)
    expected = {
        each.ban_id
        for each, network in zip(all_bans, networks, strict=True)
        if each is not lifted and network.version == own.version and own.subnet_of(network)  # type: ignore[arg-type]
    }
    found = bans.of_address(str(own))
    assert (found is None) == (not expected)
    assert found is None or found.ban_id in expected


def test_bans_end_and_only_current_ones_count() -> None:
    now = 10
    bans = Bans(lambda: now)
    bans.add(ban(1, None, 11, "ann"))
    bans.add(ban(2, "192.0.2.0/24", 11))
    bans.add(ban(3, "192.0.2.0/24", 20))
    with pytest.raises(Refused, match="Your account is banned until"):
        bans.check_account("ann")
    bans.check_account("bob")
    assert str(bans.why_not("192.0.2.7")).startswith("Your address is banned until")
    now = 11
    bans.check_account("ann")
    found = bans.of_address("192.0.2.7")
    assert found is not None
    assert found.ban_id == "b3"
    assert [each.ban_id for each in bans.current] == ["b3"]
    bans.lift("b3")
    bans.lift("b3")
    assert bans.of_address("192.0.2.7") is None
    for nonsense in ("", "unknown", "192.0.2.7.1"):
        assert not bans.why_not(nonsense)
