"""A private cluster for each test: a fork of a running API server that `gatehouse envtest install` has put in place.

KUBECONFIG names the administrator of that server, by a client certificate. Needs `pytest` and `kubernetes` from release
36 on.
"""

import json

import pytest
from kubernetes import client, config


@pytest.fixture
def cluster():
    """Yields a client of a clone of the cluster, which ends with the test."""
    parent = config.new_client_from_config()
    forks = f"{parent.configuration.host}/forks"
    kubeconfig = json.loads(parent.call_api("POST", forks).read())
    yield config.new_client_from_config_dict(kubeconfig)
    parent.call_api("DELETE", f"{forks}/{kubeconfig['current-context']}").read()


@pytest.mark.parametrize("name", ["one", "two"])
def test_has_a_cluster_of_its_own(cluster, name):
    core = client.CoreV1Api(cluster)
    mine = client.V1ConfigMap(metadata=client.V1ObjectMeta(name="mine"), data={"of": name})
    core.create_namespaced_config_map("default", mine)
    assert [item.data for item in core.list_namespaced_config_map("default").items] == [{"of": name}]
