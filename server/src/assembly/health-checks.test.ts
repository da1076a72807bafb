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
  {
    flowControlReady = (): boolean => true,
    hasProxyCertificate,
    defaultCidrReady,
    fairness = true,
    failing = new Set<string>(),
    livezGraceMs = 0,
  }: {
    flowControlReady?: () => boolean;
    hasProxyCertificate?: (() => boolean) | undefined;
    defaultCidrReady?: () => boolean;
    fairness?: boolean;
    failing?: Set<string>;
    livezGraceMs?: number;
  } = {},
) {
  const works = (part: string) => (): boolean => !failing.has(part);
  const storages = { lost: () => (failing.has("caches") ? ["/registry/pods/"] : []) };
  const store = { ping: async () => {}, condition: () => ({ writing: undefined, damage: undefined }) };
  const shuttingDown = new AbortController().signal;
  const sources = {
    store,
    shuttingDown,
    livezGraceMs,
    storages,
    logProblem: () => (failing.has("log") ? new Error("no space left on device") : undefined),
    ...controlPlaneChecks({
      rolesReady,
      namespacesReady,
      flowControlReady,
      defaultCidrReady,
      fairness,
      hasIdentityLease,
      hasProxyCertificate,
      storageVersionsReady: undefined,
      peers: undefined,
      issuers: [],
      parts: {
        feed: works("feed"),
        caches: works("caches"),
        fairness: works("fairness"),
        limits: works("limits"),
        counts: works("counts"),
        definitions: works("definitions"),
        ranges: works("ranges"),
        controllers: works("controllers"),
      },
    }),
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
    "poststarthook/priority-and-fairness-config-consumer",
    "poststarthook/priority-and-fairness-filter",
    "poststarthook/storage-object-count-tracker-hook",
    "poststarthook/start-apiextensions-informers",
    "poststarthook/start-apiextensions-controllers",
    "poststarthook/crd-informer-synced",
    "poststarthook/start-service-ip-repair-controllers",
    "poststarthook/scheduling/bootstrap-system-priority-classes",
    "poststarthook/priority-and-fairness-config-producer",
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

async function failedOf(checks: ReturnType<typeof checksWith>): Promise<string[]> {
  const outcomes = await Promise.all(
    checks.readyz.map(async ({ name, check }) => {
      try {
        await check();
        return [];
      } catch {
        return [name];
      }
    }),
  );
  return outcomes.flat();
}

const failures: readonly (readonly [part: string, names: readonly string[]])[] = [
  ["log", ["log"]],
  ["caches", ["informer-sync", "poststarthook/start-kube-apiserver-admission-initializer"]],
  ["feed", ["poststarthook/generic-apiserver-start-informers", "poststarthook/start-kube-aggregator-informers"]],
  ["fairness", ["poststarthook/priority-and-fairness-config-consumer", "poststarthook/priority-and-fairness-filter"]],
  ["counts", ["poststarthook/storage-object-count-tracker-hook"]],
  [
    "definitions",
    [
      "poststarthook/start-apiextensions-informers",
      "poststarthook/crd-informer-synced",
      "poststarthook/apiservice-openapi-controller",
      "poststarthook/apiservice-openapiv3-controller",
      "poststarthook/apiservice-discovery-controller",
    ],
  ],
  ["ranges", ["poststarthook/start-service-ip-repair-controllers"]],
  [
    "controllers",
    [
      "poststarthook/start-apiextensions-controllers",
      "poststarthook/scheduling/bootstrap-system-priority-classes",
      "poststarthook/bootstrap-controller",
      "poststarthook/start-cluster-authentication-info-controller",
      "poststarthook/start-kube-apiserver-identity-lease-controller",
      "poststarthook/start-kube-apiserver-identity-lease-garbage-collector",
      "poststarthook/start-legacy-token-tracking-controller",
      "poststarthook/apiservice-registration-controller",
      "poststarthook/apiservice-status-available-controller",
      "poststarthook/kube-apiserver-autoregistration",
      "autoregister-completion",
    ],
  ],
];

for (const [part, names] of failures) {
  test(`the checks that stand for the ${part} fail with it, and no others`, async () => {
    assert.deepEqual(await failedOf(checksWith(undefined, undefined, true, { failing: new Set([part]) })), names);
  });
}

test("a server without an identity lease has no checks for it", () => {
  const { readyz } = checksWith(undefined, () => true, false);
  assert.ok(!readyz.some(({ name }) => name.includes("identity-lease")));
});

test("where other servers know this one by a certificate, there is a check for it, which fails without one", async () => {
  const certificateHook = "poststarthook/aggregator-reload-proxy-client-cert";
  const hookOf = (hasProxyCertificate: (() => boolean) | undefined) =>
    checksWith(undefined, () => true, true, { hasProxyCertificate }).readyz.find(
      ({ name }) => name === certificateHook,
    );
  assert.equal(hookOf(undefined), undefined);
  const hook = hookOf(() => false);
  assert.ok(hook);
  await assert.rejects(async () => hook.check(), { message: "not finished" });
});

test("who writes into a namespace of every cluster finds it there: nobody is told to come before", async () => {
  let areReady = false;
  const hook = checksWith(undefined, () => areReady).readyz.find(({ name }) => name === namespacesHook);
  assert.ok(hook);
  await assert.rejects(async () => hook.check(), { message: "not finished" });
  areReady = true;
  await hook.check();
});

test("a server is not ready before the flow schemas and priority levels of every cluster exist", async () => {
  let areReady = false;
  const { readyz } = checksWith(undefined, () => true, true, { flowControlReady: () => areReady });
  const hook = readyz.find(({ name }) => name === "poststarthook/priority-and-fairness-config-producer");
  assert.ok(hook);
  await assert.rejects(async () => hook.check(), { message: "not finished" });
  areReady = true;
  await hook.check();
});

test("without fairness the check of the limits has the other name", () => {
  const names = checksWith(undefined, () => true, true, { fairness: false }).readyz.map(({ name }) => name);
  assert.ok(names.includes("poststarthook/max-in-flight-filter"));
  assert.ok(!names.includes("poststarthook/priority-and-fairness-filter"));
});

test("limits of reads and writes whose counts are wrong are told by their check", async () => {
  const failing = new Set(["limits"]);
  const { readyz } = checksWith(undefined, () => true, true, { fairness: false, failing });
  const hook = readyz.find(({ name }) => name === "poststarthook/max-in-flight-filter");
  assert.ok(hook);
  await assert.rejects(async () => hook.check(), { message: "not finished" });
  failing.clear();
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
  const during = checksWith(() => false, undefined, undefined, { livezGraceMs: 3_600_000 });
  assert.deepEqual(await failing(during.livez), []);
  assert.deepEqual(await failing(during.readyz), hook);
});
