import assert from "node:assert/strict";
import { test } from "node:test";
import { healthChecks } from "@gatehouse/apiserver/server";
import { createMetricsRegistry } from "@gatehouse/component-base/metrics";
import { controlPlaneChecks } from "./health-checks.js";

const rolesHook = "poststarthook/rbac/bootstrap-roles";
const namespacesHook = "poststarthook/start-system-namespaces-controller";

function checksWith(
  rolesReady: (() => boolean) | undefined,
  namespacesReady = () => true,
  hasIdentityLease = true,
  livezGraceMs = 0,
) {
  const store = { ping: async () => {}, condition: () => ({ writing: undefined, damage: undefined }) };
  const shuttingDown = new AbortController().signal;
  const sources = {
    store,
    shuttingDown,
    livezGraceMs,
    ...controlPlaneChecks({ rolesReady, namespacesReady, hasIdentityLease, issuers: [] }),
  };
  return healthChecks(sources, createMetricsRegistry({ processMetrics: false }));
}

test("checks have the names and the order of v1.29, where they have work to stand for", () => {
  const { readyz, livez } = checksWith(undefined);
  const names = readyz.map(({ name }) => name);
  assert.deepEqual(names, [
    "ping",
    "log",
    "etcd",
    "etcd-readiness",
    "informer-sync",
    "poststarthook/start-kube-apiserver-admission-initializer",
    "poststarthook/generic-apiserver-start-informers",
    "poststarthook/storage-object-count-tracker-hook",
    "poststarthook/start-apiextensions-informers",
    "poststarthook/start-apiextensions-controllers",
    "poststarthook/crd-informer-synced",
    "poststarthook/start-service-ip-repair-controllers",
    "poststarthook/scheduling/bootstrap-system-priority-classes",
    "poststarthook/start-system-namespaces-controller",
    "poststarthook/bootstrap-controller",
    "poststarthook/start-cluster-authentication-info-controller",
    "poststarthook/start-kube-apiserver-identity-lease-controller",
    "poststarthook/start-kube-apiserver-identity-lease-garbage-collector",
    "poststarthook/start-legacy-token-tracking-controller",
    "poststarthook/start-kube-aggregator-informers",
    "poststarthook/apiservice-registration-controller",
    "poststarthook/apiservice-status-available-controller",
    "poststarthook/kube-apiserver-autoregistration",
    "autoregister-completion",
    "poststarthook/apiservice-openapi-controller",
    "poststarthook/apiservice-openapiv3-controller",
    "poststarthook/apiservice-discovery-controller",
    "store-writes",
    "shutdown",
  ]);
  const onlyReady = new Set(["etcd-readiness", "informer-sync", "store-writes", "shutdown"]);
  assert.deepEqual(
    livez.map(({ name }) => name),
    names.filter((name) => !onlyReady.has(name)),
  );
});

test("a server without an identity lease has no checks for it", () => {
  const { readyz } = checksWith(undefined, () => true, false);
  assert.ok(!readyz.some(({ name }) => name.includes("identity-lease")));
});

test("who writes into a namespace of every cluster finds it there: nobody is told to come before", async () => {
  let areReady = false;
  const hook = checksWith(undefined, () => areReady).readyz.find(({ name }) => name === namespacesHook);
  assert.ok(hook);
  await assert.rejects(async () => hook.check(), { message: "not finished" });
  areReady = true;
  await hook.check();
});

test("where roles decide, there is a check for them, which fails until they are made", async () => {
  let areReady = false;
  const hook = checksWith(() => areReady).readyz.find(({ name }) => name === rolesHook);
  assert.ok(hook);
  await assert.rejects(async () => hook.check(), { message: "not finished" });
  areReady = true;
  await hook.check();
});

test("/livez does not wait for the work of the start during its grace period", async () => {
  const failing = async (checks: readonly { name: string; check(): unknown }[]): Promise<readonly string[]> => {
    const names: string[] = [];
    for (const { name, check } of checks) {
      await Promise.resolve(check()).catch(() => names.push(name));
    }
    return names;
  };
  const hook = ["poststarthook/rbac/bootstrap-roles"];
  assert.deepEqual(await failing(checksWith(() => false).livez), hook);
  const during = checksWith(() => false, undefined, undefined, 3_600_000);
  assert.deepEqual(await failing(during.livez), []);
  assert.deepEqual(await failing(during.readyz), hook);
});
