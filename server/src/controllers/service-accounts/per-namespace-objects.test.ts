import assert from "node:assert/strict";
import { test } from "node:test";
import { metaOf } from "@gatehouse/apiserver/objects";
import { textAt, valueAt } from "@gatehouse/envelopes/json";
import { eventually } from "@gatehouse/testing/eventually";
import { openTestControlPlane } from "../../control-plane.test.support.js";
import { configMaps, namespaces, serviceAccounts } from "../core-resources.js";
import { systemNamespaces } from "../namespaces/system-namespaces.js";
import { defaultServiceAccount } from "./default-service-account.js";
import { rootCaPublisher } from "./root-ca-publisher.js";

const rootCa = "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n";

test("the namespaces that every cluster has are made, and made again when deleted", async () => {
  await using plane = await openTestControlPlane();
  const { client, errors } = plane;
  plane.start(systemNamespaces({ client, onError: (error) => errors.push(error), onDone() {} }));
  const names = async (): Promise<string[]> => (await client.list(namespaces, "")).map(({ name }) => name);
  const all = ["default", "kube-node-lease", "kube-public", "kube-system"];
  await eventually(async () => assert.deepEqual(await names(), all));
  await client.update(
    namespaces,
    { namespace: "kube-node-lease", name: "kube-node-lease", subresource: "finalize" },
    (object) => ({
      ...object,
      spec: {},
    }),
  );
  await client.delete(namespaces, "", "kube-node-lease");
  await eventually(async () => assert.deepEqual(await names(), all));
  assert.deepEqual(errors, []);
});

test("every active namespace has a default service account, and gets it back", async () => {
  await using plane = await openTestControlPlane();
  const { client, errors } = plane;
  await plane.makeNamespace("early");
  plane.start(defaultServiceAccount({ client, onError: (error) => errors.push(error) }));
  await plane.makeNamespace("late");
  const uid = async (namespace: string): Promise<string | undefined> => {
    const account = await client.get(serviceAccounts, namespace, "default");
    return account === undefined ? undefined : metaOf(account).uid;
  };
  await eventually(async () => assert.ok((await uid("early")) !== undefined && (await uid("late")) !== undefined));
  const first = await uid("early");
  await client.delete(serviceAccounts, "early", "default");
  await eventually(async () => {
    const again = await uid("early");
    assert.ok(again !== undefined && again !== first);
  });
  assert.deepEqual(errors, []);
});

test("a terminating namespace gets no new service account", async () => {
  await using plane = await openTestControlPlane();
  const { client, errors } = plane;
  await plane.makeNamespace("going");
  plane.start(defaultServiceAccount({ client, onError: (error) => errors.push(error) }));
  await eventually(async () => assert.ok(await client.get(serviceAccounts, "going", "default")));
  await client.delete(namespaces, "", "going");
  await client.catchUp();
  await client.delete(serviceAccounts, "going", "default");
  await plane.makeNamespace("other");
  await eventually(async () => assert.ok(await client.get(serviceAccounts, "other", "default")));
  assert.equal(await client.get(serviceAccounts, "going", "default"), undefined);
  assert.deepEqual(errors, []);
});

test("the root CA is published in every namespace and kept as it should be", async () => {
  await using plane = await openTestControlPlane();
  const { client, errors } = plane;
  await plane.makeNamespace("a");
  plane.start(rootCaPublisher({ client, rootCa, onError: (error) => errors.push(error) }));
  const target = { namespace: "a", name: "kube-root-ca.crt" };
  const check = async (): Promise<void> => {
    const configMap = await client.get(configMaps, target.namespace, target.name);
    assert.deepEqual(valueAt(configMap, "data"), { "ca.crt": rootCa });
    assert.notEqual(textAt(configMap, "metadata", "annotations", "kubernetes.io/description"), "");
  };
  await eventually(check);
  await client.update(configMaps, target, (object) => ({ ...object, data: { "ca.crt": "forged", more: "x" } }));
  await eventually(check);
  await client.update(configMaps, target, (object) => {
    metaOf(object).annotations = { mine: "kept" };
    return object;
  });
  await eventually(check);
  const kept = await client.get(configMaps, target.namespace, target.name);
  assert.equal(textAt(kept, "metadata", "annotations", "mine"), "kept");
  await client.delete(configMaps, target.namespace, target.name);
  await eventually(check);
  assert.deepEqual(errors, []);
});

test("a root CA that is changed in a terminating namespace is corrected, and one that is deleted does not come back", async () => {
  await using plane = await openTestControlPlane();
  const { client, errors } = plane;
  await plane.makeNamespace("going");
  plane.start(rootCaPublisher({ client, rootCa, onError: (error) => errors.push(error) }));
  const target = { namespace: "going", name: "kube-root-ca.crt" };
  const data = async () => valueAt(await client.get(configMaps, target.namespace, target.name), "data");
  await eventually(async () => assert.deepEqual(await data(), { "ca.crt": rootCa }));
  await client.delete(namespaces, "", "going");
  await client.catchUp();
  await client.update(configMaps, target, (object) => ({ ...object, data: { "ca.crt": "forged" } }));
  await eventually(async () => assert.deepEqual(await data(), { "ca.crt": rootCa }));
  await client.delete(configMaps, target.namespace, target.name);
  await plane.makeNamespace("other");
  await eventually(async () => assert.ok(await client.get(configMaps, "other", target.name)));
  assert.equal(await client.get(configMaps, target.namespace, target.name), undefined);
  assert.deepEqual(errors, []);
});
