import assert from "node:assert/strict";
import { test } from "node:test";
import { isNotFound } from "@gatehouse/apiserver/client";
import { serverId } from "@gatehouse/apiserver/server";
import { type JsonObject, objectAt, textAt } from "@gatehouse/envelopes/json";
import { eventually } from "@gatehouse/testing/eventually";
import { openTestControlPlane, type TestControlPlane } from "../../control-plane.test.support.js";
import type { StoredResource } from "../../storage-versions/stored-resources.js";
import { storageVersions } from "../core-resources.js";
import { leases } from "../leadership/leases.js";
import { storageVersionCollection } from "./collection.js";
import { storageVersionRegistration } from "./registration.js";

const namespace = "kube-system";
const now = (): number => Date.parse("2024-05-01T10:00:00Z");
const pods: StoredResource = {
  name: "core.pods",
  servedAs: [{ group: "", resource: "pods" }],
  encodingVersion: "v1",
  decodableVersions: ["v1"],
  servedVersions: ["v1"],
};
const condition = {
  type: "AllEncodingVersionsEqual",
  status: "True",
  lastTransitionTime: "2024-05-01T10:00:00Z",
  reason: "CommonEncodingVersionSet",
  message: "Common encoding version set",
};

const openPlane = () => openTestControlPlane({ serves: ["internal.apiserver.k8s.io/v1alpha1"] });

async function makeLease(plane: TestControlPlane, name: string): Promise<void> {
  const labels = { "apiserver.kubernetes.io/identity": "kube-apiserver" };
  await plane.make(leases, {
    kind: "Lease",
    apiVersion: "coordination.k8s.io/v1",
    metadata: { name, namespace, labels },
    spec: { holderIdentity: name, leaseDurationSeconds: 3600, renewTime: "2024-05-01T10:00:00.000000Z" },
  });
}

const entryOf = (apiServerID: string, encodingVersion = "v1"): JsonObject => ({
  apiServerID,
  encodingVersion,
  decodableVersions: [encodingVersion],
  servedVersions: [encodingVersion],
});

/** Writes a StorageVersion in which servers say something. */
async function makeVersion(plane: TestControlPlane, name: string, ...servers: JsonObject[]): Promise<void> {
  const [first] = servers;
  const encodings = new Set(servers.map((server) => textAt(server, "encodingVersion")));
  await plane.make(storageVersions, {
    kind: "StorageVersion",
    apiVersion: "internal.apiserver.k8s.io/v1alpha1",
    metadata: { name },
    spec: {},
    status: {},
  });
  await plane.client.update(storageVersions, { namespace: "", name, subresource: "status" }, (object) => {
    const common = encodings.size === 1 ? { commonEncodingVersion: textAt(first, "encodingVersion") } : {};
    return { ...object, status: { storageVersions: servers, ...common } };
  });
}

const statusOf = async (plane: TestControlPlane, name: string): Promise<JsonObject | undefined> => {
  const object = await plane.client.get(storageVersions, "", name);
  return object && objectAt(object, "status");
};

function startRegistration(plane: TestControlPlane, told: string[] = []): void {
  plane.start(
    storageVersionRegistration({
      client: plane.client,
      onError: (error) => plane.errors.push(error),
      resources: [pods],
      now,
      onRegistered: ({ name }) => told.push(name),
      onFailed: ({ name }, error) => told.push(`${name}: ${error.message}`),
    }),
  );
}

function startCollection(plane: TestControlPlane): void {
  plane.start(storageVersionCollection({ client: plane.client, onError: (error) => plane.errors.push(error), now }));
}

test("a server registers its versions when its identity lease is there", async () => {
  await using plane = await openPlane();
  await plane.makeNamespace(namespace);
  const told: string[] = [];
  startRegistration(plane, told);
  assert.equal(await statusOf(plane, "core.pods"), undefined);
  await makeLease(plane, serverId());
  await eventually(async () => assert.deepEqual(told, ["core.pods"]));
  assert.deepEqual(await statusOf(plane, "core.pods"), {
    storageVersions: [entryOf(serverId())],
    commonEncodingVersion: "v1",
    conditions: [condition],
  });
  assert.deepEqual(plane.errors, []);
});

test("what other servers say stays, and what this one has said before is replaced in its place", async () => {
  await using plane = await openPlane();
  await plane.makeNamespace(namespace);
  await makeVersion(plane, "core.pods", entryOf(serverId(), "v0"), entryOf("other", "v2"));
  await makeLease(plane, serverId());
  startRegistration(plane);
  await eventually(async () =>
    assert.deepEqual(await statusOf(plane, "core.pods"), {
      storageVersions: [entryOf(serverId()), entryOf("other", "v2")],
      conditions: [
        {
          ...condition,
          status: "False",
          reason: "CommonEncodingVersionUnset",
          message: "Common encoding version unset",
        },
      ],
    }),
  );
});

test("where StorageVersions are not served, the registration fails in the words of v1.29", async () => {
  await using plane = await openTestControlPlane();
  await plane.makeNamespace(namespace);
  await makeLease(plane, serverId());
  const told: string[] = [];
  startRegistration(plane, told);
  await eventually(async () =>
    assert.equal(
      told[0],
      "core.pods: the server could not find the requested resource (post storageversions.internal.apiserver.k8s.io)",
    ),
  );
});

test("what a server has said is removed when its lease is deleted", async () => {
  await using plane = await openPlane();
  await plane.makeNamespace(namespace);
  await makeLease(plane, "gone");
  await makeLease(plane, "alive");
  await makeVersion(plane, "core.pods", entryOf("gone", "v2"), entryOf("alive"));
  await makeVersion(plane, "core.secrets", entryOf("gone"));
  startCollection(plane);
  await plane.client.delete(leases, namespace, "gone");
  await eventually(async () => {
    assert.deepEqual(await statusOf(plane, "core.pods"), {
      storageVersions: [entryOf("alive")],
      commonEncodingVersion: "v1",
      conditions: [condition],
    });
    assert.equal(await statusOf(plane, "core.secrets"), undefined);
  });
  assert.deepEqual(plane.errors, []);
});

test("servers without a lease of an API server are removed when a StorageVersion names them", async () => {
  await using plane = await openPlane();
  await plane.makeNamespace(namespace);
  await makeLease(plane, "alive");
  await makeVersion(plane, "core.pods", entryOf("never-was"), entryOf("alive"));
  startCollection(plane);
  await eventually(async () =>
    assert.deepEqual((await statusOf(plane, "core.pods"))?.["storageVersions"], [entryOf("alive")]),
  );
  await makeVersion(plane, "core.secrets", entryOf("never-was")).catch((error: unknown) => {
    // It may be collected between the two writes.
    assert.ok(isNotFound(error));
  });
  await eventually(async () => assert.equal(await statusOf(plane, "core.secrets"), undefined));
});

test("a server that has come back keeps what it says", async () => {
  await using plane = await openPlane();
  await plane.makeNamespace(namespace);
  await makeLease(plane, "back");
  await makeVersion(plane, "core.pods", entryOf("back"));
  await plane.client.delete(leases, namespace, "back");
  await makeLease(plane, "back");
  startCollection(plane);
  await makeVersion(plane, "core.secrets", entryOf("never-was"), entryOf("back"));
  await eventually(async () =>
    assert.deepEqual((await statusOf(plane, "core.secrets"))?.["storageVersions"], [entryOf("back")]),
  );
  assert.deepEqual((await statusOf(plane, "core.pods"))?.["storageVersions"], [entryOf("back")]);
});
