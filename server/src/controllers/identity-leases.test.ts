import assert from "node:assert/strict";
import { hostname } from "node:os";
import { test } from "node:test";
import { metaOf } from "@gatehouse/apiserver/objects";
import { serverId } from "@gatehouse/apiserver/server";
import { type JsonObject, textAt } from "@gatehouse/envelopes/json";
import { eventually } from "@gatehouse/testing/eventually";
import { openTestControlPlane, type TestControlPlane } from "../control-plane.test.support.js";
import { identityLease, identityLeaseCollection } from "./identity-leases.js";
import { leases } from "./leadership/leases.js";

const namespace = "kube-system";
const label = "apiserver.kubernetes.io/identity";

const optionsOf = ({ client, errors }: TestControlPlane) => ({
  client,
  now: Date.now,
  onError: (error: unknown) => errors.push(error),
});

test("an API server has a lease with the name, labels and times of v1.29", async () => {
  await using plane = await openTestControlPlane();
  plane.start(identityLease(optionsOf(plane)));
  await plane.makeNamespace(namespace);
  await eventually(async () => assert.ok(await plane.client.get(leases, namespace, serverId())));
  const lease = (await plane.client.get(leases, namespace, serverId())) as JsonObject;
  assert.deepEqual(metaOf(lease).labels, { [label]: "kube-apiserver", "kubernetes.io/hostname": hostname() });
  const { holderIdentity, renewTime, ...rest } = lease["spec"] as JsonObject;
  assert.deepEqual(rest, { leaseDurationSeconds: 3600 });
  assert.match(String(holderIdentity), new RegExp(`^${serverId()}_[0-9a-f]{8}-[0-9a-f-]{27}$`));
  assert.match(String(renewTime), /\.\d{6}Z$/);
  assert.deepEqual(plane.errors, []);
});

test("the lease of a former server of the host is renewed; its holder stays, as in v1.29", async () => {
  await using plane = await openTestControlPlane();
  await plane.makeNamespace(namespace);
  const old = { holderIdentity: "former", leaseDurationSeconds: 3600, renewTime: "2024-01-01T00:00:00.000000Z" };
  const metadata = { namespace, name: serverId() };
  await plane.make(leases, { kind: "Lease", apiVersion: "coordination.k8s.io/v1", metadata, spec: old });
  plane.start(identityLease(optionsOf(plane)));
  await eventually(async () => {
    const lease = await plane.client.get(leases, namespace, serverId());
    assert.notEqual(textAt(lease, "spec", "renewTime"), old.renewTime);
    assert.equal(textAt(lease, "spec", "holderIdentity"), "former");
    assert.equal(metaOf(lease ?? {}).labels?.[label], "kube-apiserver");
  });
});

test("identity leases that have run out, or say no time, are deleted; others and other leases are not", async () => {
  await using plane = await openTestControlPlane();
  await plane.makeNamespace(namespace);
  const make = async (name: string, spec: JsonObject, value = "kube-apiserver"): Promise<void> => {
    const metadata = { namespace, name, labels: { [label]: value } };
    await plane.make(leases, { kind: "Lease", apiVersion: "coordination.k8s.io/v1", metadata, spec });
  };
  const old = "2024-01-01T00:00:00.000000Z";
  const holder = { holderIdentity: "a", leaseDurationSeconds: 3600 };
  await make("expired", { ...holder, renewTime: old });
  await make("timeless", holder);
  await make("alive", { ...holder, renewTime: new Date().toISOString().replace("Z", "000Z") });
  await make("other", { ...holder, renewTime: old }, "another-server");
  plane.start(identityLeaseCollection(optionsOf(plane)));
  await eventually(async () => {
    const left = (await plane.client.list(leases, namespace)).map(({ name }) => name).sort();
    assert.deepEqual(left, ["alive", "other"]);
  });
  assert.deepEqual(plane.errors, []);
});

test("the lease tells where other API servers reach this one, and other annotations stay", async () => {
  await using plane = await openTestControlPlane();
  await plane.makeNamespace(namespace);
  const metadata = { namespace, name: serverId(), annotations: { other: "stays" } };
  const spec = { holderIdentity: "former", leaseDurationSeconds: 3600, renewTime: "2024-01-01T00:00:00.000000Z" };
  await plane.make(leases, { kind: "Lease", apiVersion: "coordination.k8s.io/v1", metadata, spec });
  plane.start(identityLease({ ...optionsOf(plane), peerAddress: "192.0.2.7:6443" }));
  await eventually(async () => {
    const lease = await plane.client.get(leases, namespace, serverId());
    assert.deepEqual(metaOf(lease ?? {}).annotations, {
      other: "stays",
      "kubernetes.io/peer-advertise-address": "192.0.2.7:6443",
    });
  });
  assert.deepEqual(plane.errors, []);
});
