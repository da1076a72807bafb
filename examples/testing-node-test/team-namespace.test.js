import assert from "node:assert/strict";
import { after, test } from "node:test";
import { startControlPlane } from "@gatehouse/testing";
import { CoreV1Api, KubeConfig } from "@kubernetes/client-node";
import { makeTeamNamespace } from "./team-namespace.js";

const cluster = await startControlPlane({ users: [{ name: "alice", groups: ["developers"] }] });
after(() => cluster.stop());

/** Connects to the control plane as its administrator, or as one of its users. */
function coreApiOf({ kubeconfig }) {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromString(JSON.stringify(kubeconfig));
  return kubeConfig.makeApiClient(CoreV1Api);
}

test("a team may not run a pod that could become root", async () => {
  const coreApi = coreApiOf(cluster);
  const namespace = await makeTeamNamespace(coreApi, "red");
  const pod = { metadata: { name: "one" }, spec: { containers: [{ name: "c", image: "registry.example.com/c" }] } };
  await assert.rejects(coreApi.createNamespacedPod({ namespace, body: pod }), { code: 403 });
});

test("a developer may not make the namespace of a team", async () => {
  await assert.rejects(makeTeamNamespace(coreApiOf(cluster.user("alice")), "blue"), { code: 403 });
});
