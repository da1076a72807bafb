import { startControlPlane } from "@gatehouse/testing";
import { expectDenied, matchers } from "@gatehouse/testing/expect";
import { CoreV1Api, KubeConfig } from "@kubernetes/client-node";

expect.extend(matchers);

let cluster;
beforeAll(async () => {
  cluster = await startControlPlane({
    objects: [
      { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings" }, immutable: true, data: { a: "1" } },
    ],
  });
});
afterAll(async () => {
  await cluster.stop();
});

function coreApi() {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromString(JSON.stringify(cluster.kubeconfig));
  return kubeConfig.makeApiClient(CoreV1Api);
}

test("an immutable ConfigMap cannot be changed", async () => {
  const body = await coreApi().readNamespacedConfigMap({ name: "settings", namespace: "default" });
  body.data = { a: "2" };
  const change = coreApi().replaceNamespacedConfigMap({ name: "settings", namespace: "default", body });
  await expect(change).toBeDenied({ code: 422, message: "field is immutable" });
});

test("its data is still there after a restart of the control plane", async () => {
  await cluster.restart();
  const { data } = await coreApi().readNamespacedConfigMap({ name: "settings", namespace: "default" });
  expect(data).toEqual({ a: "1" });
});

test("a fork has it, until a conflict that the test wants is over", async () => {
  const fork = await cluster.fork(); // ends with the cluster
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromString(JSON.stringify(fork.kubeconfig));
  const api = kubeConfig.makeApiClient(CoreV1Api);
  fork.faults.add({ verb: "delete", name: /^settings$/, times: 1, error: "conflict" });
  const remove = () => api.deleteNamespacedConfigMap({ name: "settings", namespace: "default" });
  await expectDenied(remove, { code: 409, reason: "Conflict" });
  await remove();
});
