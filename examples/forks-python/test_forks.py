"""A private cluster for each test: a fork of a running API server that `gatehouse envtest install` has put in place.

KUBECONFIG names the administrator of that server. Needs the packages `kubernetes` and `pytest`.
"""

import pytest
from kubernetes import client, config


@pytest.fixture
def cluster():
    """Yields a client of a clone of the cluster, which ends with the test."""
    parent = config.new_client_from_config()
    body, _, headers = parent.call_api("/forks", "POST", response_type="object", auth_settings=["BearerToken"])
    yield config.new_client_from_config_dict(body)
    parent.call_api(headers["Location"], "DELETE", auth_settings=["BearerToken"])


@pytest.mark.parametrize("name", ["one", "two"])
def test_has_a_cluster_of_its_own(cluster, name):
    core = client.CoreV1Api(cluster)
    core.create_namespaced_config_map("default", {"metadata": {"name": "mine"}, "data": {"of": name}})
    assert [item.data for item in core.list_namespaced_config_map("default").items] == [{"of": name}]
