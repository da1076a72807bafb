import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { groupVersionTitle, tagOf } from "./operation-names.js";

suite("names of operations", () => {
  for (const [group, expected, tag] of [
    ["", "CoreV1", "core_v1"],
    ["rbac.authorization.k8s.io", "RbacAuthorizationV1", "rbacAuthorization_v1"],
    ["acme.cert-manager.io", "AcmeCertManagerIoV1", "acmeCertManagerIo_v1"],
    ["cluster.x-k8s.io", "ClusterXK8sIoV1", "clusterXK8sIo_v1"],
  ] as const) {
    test(`in the group "${group}" begin with ${expected}`, () => {
      assert.equal(groupVersionTitle(group, "v1"), expected);
      assert.equal(tagOf(group, "v1"), tag);
    });
  }
});
