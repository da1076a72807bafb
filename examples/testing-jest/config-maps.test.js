import { startControlPlane } from "@gatehouse/testing";
import { CoreV1Api, KubeConfig } from "@kubernetes/client-node";

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
  await expect(change).rejects.toMatchObject({ code: 422 });
});

test("its data is still there after a restart of the control plane", async () => {
  await cluster.restart();
  const { data } = await coreApi().readNamespacedConfigMap({ name: "settings", namespace: "default" });
  expect(data).toEqual({ a: "1" });
});
