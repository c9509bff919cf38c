"""Addresses that the service may connect to: the same ones with every version of Python."""

import ipaddress

import pytest

from backbench.integrations.public_addresses import is_public

# The first and the last address of each network that is for a special purpose, and their neighbours.
SPECIAL = (
    "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
    "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
    "224.0.0.0/4", "240.0.0.0/4", "168.63.129.16/32", "::/3", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
    "4000::/2", "8000::/1",
)  # fmt: skip
PUBLIC = (
    "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "172.15.255.255", "172.32.0.0",
    "192.0.1.0", "192.88.98.255", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255",
    "168.63.129.15", "168.63.129.17", "2000::1", "2001:200::1", "2a00:1450::1", "2620:fe::fe",
)  # fmt: skip


@pytest.mark.parametrize("text", SPECIAL)
def test_no_address_of_a_network_for_a_special_purpose_is_public(text: str) -> None:
    network = ipaddress.ip_network(text)
    assert not is_public(network[0])
    assert not is_public(network[-1])


@pytest.mark.parametrize("text", PUBLIC)
def test_neighbouring_addresses_are_public(text: str) -> None:
    assert is_public(ipaddress.ip_address(text))


@pytest.mark.parametrize("text", ["192.0.0.192", "192.88.99.1", "168.63.129.16", "::ffff:1.1.1.1", "64:ff9b::1.1.1.1"])
def test_addresses_that_lead_elsewhere_are_not_public(text: str) -> None:
    assert not is_public(ipaddress.ip_address(text))
