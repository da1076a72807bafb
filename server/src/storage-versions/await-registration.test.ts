import assert from "node:assert/strict";
import { test } from "node:test";
import type { RequestContext } from "@gatehouse/apiserver/request";
import { StatusError } from "@gatehouse/envelopes/status";
import { awaitRegistration } from "./await-registration.js";
import { StorageVersionRegistrations } from "./registrations.js";

const versions = { encodingVersion: "v1", decodableVersions: ["v1"], servedVersions: ["v1"] };
const events = [
  { group: "", resource: "events" },
  { group: "events.k8s.io", resource: "events" },
];

function registrations(): StorageVersionRegistrations {
  const served = (group: string, resource: string) => [{ group, resource }];
  return new StorageVersionRegistrations([
    { name: "core.configmaps", servedAs: served("", "configmaps"), ...versions },
    { name: "core.namespaces", servedAs: served("", "namespaces"), ...versions },
    { name: "core.events", servedAs: events, ...versions },
    { name: "coordination.k8s.io.leases", servedAs: served("coordination.k8s.io", "leases"), ...versions },
    {
      name: "internal.apiserver.k8s.io.storageversions",
      servedAs: served("internal.apiserver.k8s.io", "storageversions"),
      ...versions,
    },
  ]);
}

interface Asked {
  readonly verb?: string;
  readonly group?: string;
  readonly resource?: string;
  readonly namespace?: string;
  readonly isResourceRequest?: boolean;
  readonly user?: { readonly username: string; readonly groups: readonly string[] };
}

/** Returns the refusal of a request; "passes" when there is none. */
function outcome(known: StorageVersionRegistrations, asked: Asked): string {
  const { user = { username: "jane", groups: ["system:masters"] }, ...info } = asked;
  const context = {
    info: { verb: "create", group: "", resource: "configmaps", namespace: "default", isResourceRequest: true, ...info },
    user,
  };
  let passed = false;
  try {
    void awaitRegistration(known)(context as unknown as RequestContext, () => {
      passed = true;
    });
  } catch (error) {
    assert.ok(error instanceof StatusError);
    return `${error.code} ${error.reason}: ${error.message}`;
  }
  assert.equal(passed, true);
  return "passes";
}

const refusal = (resource: string, error = "<nil>"): string =>
  `503 ServiceUnavailable: wait for storage version registration to complete for resource: ${resource}, last seen error: ${error}`;

test("writes wait for the registration of their resource, in each group that serves it", () => {
  const known = registrations();
  assert.equal(outcome(known, {}), refusal("configmaps"));
  assert.equal(outcome(known, { verb: "deletecollection" }), refusal("configmaps"));
  assert.equal(outcome(known, { group: "events.k8s.io", resource: "events" }), refusal("events.events.k8s.io"));
  known.succeeded("core.events");
  assert.equal(outcome(known, { group: "events.k8s.io", resource: "events" }), "passes");
  assert.equal(outcome(known, {}), refusal("configmaps"));
});

test("a refusal tells the last failure", () => {
  const known = registrations();
  known.failed("core.configmaps", new Error("no space left"));
  assert.equal(outcome(known, {}), refusal("configmaps", "no space left"));
  known.succeeded("core.configmaps");
  assert.equal(outcome(known, {}), "passes");
});

test("reads, other paths and resources that are not registered pass", () => {
  const known = registrations();
  for (const verb of ["get", "list", "watch"]) {
    assert.equal(outcome(known, { verb }), "passes");
  }
  assert.equal(outcome(known, { isResourceRequest: false, resource: "" }), "passes");
  assert.equal(outcome(known, { group: "stable.example.com", resource: "widgets" }), "passes");
});

test("what the registration depends on passes", () => {
  const known = registrations();
  const leases = { group: "coordination.k8s.io", resource: "leases" };
  assert.equal(outcome(known, { ...leases, namespace: "kube-system" }), "passes");
  assert.equal(outcome(known, leases), refusal("leases.coordination.k8s.io"));
  assert.equal(outcome(known, { group: "internal.apiserver.k8s.io", resource: "storageversions" }), "passes");
  const server = { username: "system:apiserver", groups: ["system:masters"] };
  assert.equal(outcome(known, { resource: "namespaces", user: server }), "passes");
  assert.equal(outcome(known, { resource: "namespaces", user: server, verb: "update" }), refusal("namespaces"));
  assert.equal(outcome(known, { resource: "namespaces" }), refusal("namespaces"));
});

test("everything passes when all is registered", () => {
  const known = registrations();
  for (const name of ["configmaps", "namespaces", "events"]) {
    known.succeeded(`core.${name}`);
  }
  assert.equal(known.isComplete, false);
  known.succeeded("coordination.k8s.io.leases");
  known.succeeded("internal.apiserver.k8s.io.storageversions");
  assert.equal(known.isComplete, true);
  assert.equal(outcome(known, { resource: "namespaces" }), "passes");
});
