"""What a person does with machines under Patroni, as the guide says: a switchover, and one in place of a lost one."""

import re
import shutil
import time

from tests.support.patroni.cluster import PatroniCluster, install
from tests.support.patroni.machines import Machine

# Ends a test that hangs.
_SECONDS = 600.0


def switch_over(cluster: PatroniCluster) -> list[str]:
    """Asks for another primary until there is one.

    Returns the output of patronictl for each request after which there was none; it exits with 0 then as well."""
    before = cluster.primary.machine
    repeated: list[str] = []
    deadline = time.monotonic() + _SECONDS
    while True:
        output = _ask_to_switch_over(cluster, before)
        cluster.until_complete()
        if cluster.primary.machine is not before:
            return repeated
        repeated.append(output)
        assert time.monotonic() < deadline, f"{before.name} remains the primary: {repeated}\n{cluster.logs()}"


def _ask_to_switch_over(cluster: PatroniCluster, before: Machine) -> str:
    try:
        output = cluster.control("switchover", "--leader", before.name, "--force")
    except AssertionError as error:
        # An earlier request may have been carried out meanwhile: it is not the leader any longer.
        return str(error)
    found = re.findall(r"^.*(?:switched over|switchover failed|could not switchover).*$", output, re.M | re.I)
    return " ".join(found)


def replace(cluster: PatroniCluster, lost: Machine) -> None:
    """An empty machine with the name and address of one that was lost with its disk."""
    running = cluster.primary.machine
    peer = f"http://{lost.address}:2380"
    members = running.run("etcdctl", "member", "list", ETCDCTL_API="3").splitlines()
    member = next(line.partition(",")[0] for line in members if peer in line)
    running.run("etcdctl", "member", "remove", member, ETCDCTL_API="3")
    running.run("etcdctl", "member", "add", lost.name, f"--peer-urls={peer}", ETCDCTL_API="3")
    shutil.rmtree(lost.folder)
    install(lost)
    cluster.start_etcd(lost, ETCD_INITIAL_CLUSTER_STATE="existing")
    cluster.start_patroni(lost)
