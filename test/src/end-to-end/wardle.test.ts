import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual, promisify } from "node:util";
import type { ClusterAccess, ControlPlane } from "@gatehouse/testing";
import { getJson, post, startAggregatingServer } from "../aggregation/aggregated-server.js";
import { startExtensionProcess } from "../aggregation/extension-process.js";
import type { RunningCommand } from "../support/running-command.js";
import { until } from "../support/until.js";

// The example wardle as a process behind a Gatehouse, both as their users start them.

const script = fileURLToPath(new URL("../../../examples/wardle/dist/main.js", import.meta.url));
const group = "wardle.example.com";
const features = "--feature-gates=ValidatingAdmissionPolicy=true";
const folder = mkdtempSync(join(tmpdir(), "wardle-"));
const auditLog = join(folder, "audit.log");
let front: ControlPlane;
let wardle: RunningCommand;
let jane: ClusterAccess;

before(async () => {
  const policy = join(folder, "audit-policy.json");
  const rules = [{ level: "RequestResponse", resources: [{ group }] }];
  writeFileSync(policy, JSON.stringify({ apiVersion: "audit.k8s.io/v1", kind: "Policy", rules }));
  front = await startAggregatingServer([
    `--audit-policy-file=${policy}`,
    `--audit-log-path=${auditLog}`,
    "--authorization-mode=RBAC",
    "--runtime-config=admissionregistration.k8s.io/v1beta1=true",
    features,
  ]);
  wardle = await startExtensionProcess(front, {
    script,
    group,
    versions: ["v1alpha1", "v1beta1"],
    folder,
    flags: [features],
  });
  await post(front, "/api/v1/namespaces", { metadata: { name: "sea" } });
  jane = await front.addUser({ name: "jane" });
});
after(async () => {
  await wardle?.stop();
  await front?.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Answer {
  readonly status: number;
  readonly body: { readonly message?: string; readonly spec?: object; readonly items?: readonly unknown[] };
}

/** Sends a request through the front. */
async function send(method: string, path: string, body?: object, as: ClusterAccess = front): Promise<Answer> {
  const request = { method, path: `/apis/${group}${path}`, signal: AbortSignal.timeout(60_000), timeoutMs: 60_000 };
  const { status, body: answer } = await as.client.requestJson(body === undefined ? request : { ...request, body });
  return { status, body: answer as Answer["body"] };
}

const flunder = (version: string, name: string, spec: object = {}, labels: Readonly<Record<string, string>> = {}) => ({
  apiVersion: `${group}/${version}`,
  kind: "Flunder",
  metadata: { name, labels },
  spec,
});
const create = (name: string, spec: object = {}, labels: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  send("POST", "/v1alpha1/namespaces/sea/flunders", flunder("v1alpha1", name, spec, labels));

test("a flunder is converted between the versions of its group", async () => {
  const { status, body } = await create("bo", { reference: "al" });
  assert.equal(status, 201, body.message);
  assert.deepEqual(body.spec, { reference: "al", referenceType: "Flunder" });
  const { body: other } = await send("GET", "/v1beta1/namespaces/sea/flunders/bo");
  assert.deepEqual(other.spec, { flunderReference: "al", referenceType: "Flunder" });
});

test("a flunder whose reference has the wrong type is refused with the path of the fault", async () => {
  const { status, body } = await send(
    "POST",
    "/v1beta1/namespaces/sea/flunders",
    flunder("v1beta1", "x", { flunderReference: "a", referenceType: "Fischer" }),
  );
  assert.equal(status, 422);
  assert.match(body.message ?? "", /spec\.flunderReference: Invalid value: "a": cannot be set if referenceType is not/);
});

test("the roles of the front decide who may read flunders", async () => {
  const denied = await send("GET", "/v1alpha1/flunders", undefined, jane);
  assert.equal(denied.status, 403);
  assert.match(denied.body.message ?? "", /User "jane" cannot list resource "flunders" in API group/);
  const reader = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "flunder-reader" };
  const rbac = "/apis/rbac.authorization.k8s.io/v1";
  await post(front, `${rbac}/clusterroles`, {
    metadata: { name: "flunder-reader" },
    rules: [{ apiGroups: [group], resources: ["flunders"], verbs: ["get"] }],
  });
  await post(front, `${rbac}/clusterrolebindings`, {
    metadata: { name: "jane-reads-flunders" },
    roleRef: reader,
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "jane" }],
  });
  const path = "/v1alpha1/namespaces/sea/flunders/bo";
  await until("jane may read", async () => (await send("GET", path, undefined, jane)).status === 200);
});

test("a fischer forbids names of flunders", async () => {
  const fischer = { apiVersion: `${group}/v1alpha1`, kind: "Fischer", metadata: { name: "f" } };
  await send("POST", "/v1alpha1/fischers", { ...fischer, disallowedFlunders: ["cod"] });
  const refused = await until("the name is forbidden", async () => {
    const answer = await create("cod");
    return answer.status === 403 && answer;
  });
  assert.equal(
    refused.body.message,
    'flunders.wardle.example.com "cod" is forbidden: this name may not be used, please change the resource name',
  );
});

test("nothing is created in a namespace that the front does not know", async () => {
  const answer = await send("POST", "/v1alpha1/namespaces/land/flunders", flunder("v1alpha1", "x"));
  assert.deepEqual([answer.status, answer.body.message], [404, 'namespaces "land" not found']);
});

test("a webhook of the front is asked about flunders", async () => {
  await post(front, "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", {
    metadata: { name: "unreachable" },
    webhooks: [
      {
        name: "unreachable.example.com",
        clientConfig: { url: "https://127.0.0.1:1/" },
        rules: [{ apiGroups: [group], apiVersions: ["v1beta1"], operations: ["CREATE"], resources: ["flunders"] }],
        objectSelector: { matchLabels: { asked: "webhook" } },
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
      },
    ],
  });
  let count = 0;
  const refused = await until("the webhook is asked", async () => {
    const answer = await create(`asked-${count++}`, {}, { asked: "webhook" });
    return answer.status === 500 && answer;
  });
  assert.match(refused.body.message ?? "", /failed calling webhook "unreachable\.example\.com"/);
});

test("a policy of the front, with its parameters, decides about flunders", async () => {
  await post(front, "/api/v1/namespaces/sea/configmaps", { metadata: { name: "limits" }, data: { longest: "3" } });
  const policies = "/apis/admissionregistration.k8s.io/v1beta1";
  await post(front, `${policies}/validatingadmissionpolicies`, {
    metadata: { name: "short-names" },
    spec: {
      paramKind: { apiVersion: "v1", kind: "ConfigMap" },
      matchConstraints: {
        resourceRules: [{ apiGroups: [group], apiVersions: ["*"], operations: ["CREATE"], resources: ["flunders"] }],
        objectSelector: { matchLabels: { asked: "policy" } },
      },
      validations: [{ expression: "size(object.metadata.name) <= int(params.data.longest)" }],
    },
  });
  await post(front, `${policies}/validatingadmissionpolicybindings`, {
    metadata: { name: "short-names" },
    spec: {
      policyName: "short-names",
      paramRef: { name: "limits", namespace: "sea", parameterNotFoundAction: "Deny" },
      validationActions: ["Deny"],
    },
  });
  let count = 0;
  const refused = await until("the policy is applied", async () => {
    const answer = await create(`long-${count++}`, {}, { asked: "policy" });
    return answer.status === 422 && answer;
  });
  assert.match(refused.body.message ?? "", /ValidatingAdmissionPolicy 'short-names' with binding 'short-names' denied/);
  assert.equal((await create("abc", {}, { asked: "policy" })).status, 201);
});

interface Owned {
  readonly uid?: string;
  readonly ownerReferences?: readonly object[];
}

const flunders = `/apis/${group}/v1beta1/namespaces/sea/flunders`;
const configMaps = "/api/v1/namespaces/sea/configmaps";
const owner = (apiVersion: string, kind: string, name: string, { uid }: Owned): readonly object[] => [
  { apiVersion, kind, name, uid, blockOwnerDeletion: true },
];

/** Returns the metadata of an object; undefined when there is none. */
async function metadataOf(path: string): Promise<Owned | undefined> {
  const { status, body } = await front.client.requestJson({
    path,
    signal: AbortSignal.timeout(60_000),
    timeoutMs: 60_000,
  });
  return status === 404 ? undefined : (body as { readonly metadata: Owned }).metadata;
}

async function make(
  collection: string,
  kind: string,
  name: string,
  ownerReferences: readonly object[] = [],
): Promise<Owned> {
  const apiVersion = collection === flunders ? `${group}/v1beta1` : "v1";
  await post(front, collection, { apiVersion, kind, metadata: { name, ownerReferences } });
  return (await metadataOf(`${collection}/${name}`)) as Owned;
}

async function remove(path: string, propagationPolicy: string): Promise<void> {
  const body = { kind: "DeleteOptions", apiVersion: "v1", propagationPolicy };
  const options = { signal: AbortSignal.timeout(60_000), timeoutMs: 60_000 };
  const { status } = await front.client.requestJson({ method: "DELETE", path, body, ...options });
  assert.equal(status, 200);
}

const untilGone = (path: string): Promise<unknown> =>
  until(`${path} is gone`, async () => (await metadataOf(path)) === undefined);

for (const policy of ["Background", "Foreground"]) {
  test(`a flunder whose owner is a ConfigMap of the front is deleted with it (${policy})`, async () => {
    const name = `local-${policy.toLowerCase()}`;
    const uid = await make(configMaps, "ConfigMap", name);
    await make(flunders, "Flunder", name, owner("v1", "ConfigMap", name, uid));
    await remove(`${configMaps}/${name}`, policy);
    await untilGone(`${configMaps}/${name}`);
    await untilGone(`${flunders}/${name}`);
  });

  test(`a ConfigMap of the front whose owner is a flunder is deleted with it (${policy})`, async () => {
    const name = `remote-${policy.toLowerCase()}`;
    const uid = await make(flunders, "Flunder", name);
    await make(configMaps, "ConfigMap", name, owner(`${group}/v1beta1`, "Flunder", name, uid));
    await remove(`${flunders}/${name}`, policy);
    await untilGone(`${flunders}/${name}`);
    await untilGone(`${configMaps}/${name}`);
  });
}

test("orphaned dependents on either server lose their owner and stay", async () => {
  const local = await make(configMaps, "ConfigMap", "parent");
  const remote = await make(flunders, "Flunder", "parent");
  await make(flunders, "Flunder", "orphan", owner("v1", "ConfigMap", "parent", local));
  await make(configMaps, "ConfigMap", "orphan", owner(`${group}/v1beta1`, "Flunder", "parent", remote));
  await Promise.all([configMaps, flunders].map((collection) => remove(`${collection}/parent`, "Orphan")));
  await Promise.all([configMaps, flunders].map((collection) => untilGone(`${collection}/parent`)));
  for (const path of [`${configMaps}/orphan`, `${flunders}/orphan`]) {
    const metadata = await metadataOf(path);
    assert.notEqual(metadata, undefined, path);
    assert.equal(metadata?.ownerReferences, undefined, path);
  }
});

/** The version in which controllers read and write: the first by name of those with the same priority. */
const followed = `/apis/${group}/v1alpha1`;

/** Returns the finished writes of a service account of kube-system in the audit log of the front, without their bodies. */
function writesOf(controller: string): readonly object[] {
  const lines = readFileSync(auditLog, "utf8").split("\n").slice(0, -1);
  return lines
    .map((line) => JSON.parse(line))
    .filter(({ user }) => user.username === `system:serviceaccount:kube-system:${controller}`)
    .filter(({ stage }) => stage === "ResponseComplete")
    .map(({ verb, level, requestURI, responseStatus, requestObject, responseObject }) => {
      return { verb, level, requestURI, code: responseStatus.code, bodies: [requestObject, responseObject] };
    });
}

/** Waits until the front has recorded a write of a controller to wardle, with its outcome and without a body. */
async function untilRecorded(controller: string, verb: string, requestURI: string): Promise<void> {
  const wanted = { verb, level: "RequestResponse", requestURI, code: 200, bodies: [undefined, undefined] };
  await until(`${verb} ${requestURI} is recorded`, () =>
    writesOf(controller).some((write) => isDeepStrictEqual(write, wanted)),
  );
}

test("the front's audit log has the garbage collector's writes to the server behind", async () => {
  const [first, second] = [await make(configMaps, "ConfigMap", "first"), await make(configMaps, "ConfigMap", "second")];
  const owners = [...owner("v1", "ConfigMap", "first", first), ...owner("v1", "ConfigMap", "second", second)];
  await make(flunders, "Flunder", "audited", owners);
  const path = `${followed}/namespaces/sea/flunders/audited`;
  await remove(`${configMaps}/first`, "Orphan");
  await untilRecorded("generic-garbage-collector", "patch", path);
  await remove(`${configMaps}/second`, "Background");
  await untilRecorded("generic-garbage-collector", "delete", path);
});

/** Returns the usage that a quota states. */
async function usedOf(namespace: string): Promise<object | undefined> {
  const path = `/api/v1/namespaces/${namespace}/resourcequotas/q`;
  const { status } = (await getJson(front, path)) as { readonly status?: { readonly used?: object } };
  return status?.used;
}

test("a quota counts flunders, holds none back, and is emptied with its namespace", async () => {
  await post(front, "/api/v1/namespaces", { metadata: { name: "pond" } });
  const pond = `/apis/${group}/v1beta1/namespaces/pond/flunders`;
  const add = (name: string): Promise<void> => post(front, pond, flunder("v1beta1", name));
  const counted = `count/flunders.${group}`;
  const hard = { [counted]: "1", [`count/fischers.${group}`]: "1", [`count/trouts.${group}`]: "1" };
  await post(front, "/api/v1/namespaces/pond/resourcequotas", { metadata: { name: "q" }, spec: { hard } });
  const untilUsed = (count: string): Promise<unknown> =>
    until(`${count} flunders are counted`, async () => isDeepStrictEqual(await usedOf("pond"), { [counted]: count }));
  await untilUsed("0");
  for (const name of ["a", "b", "c"]) {
    await add(name);
  }
  await remove(`${pond}/a`, "Background");
  await untilUsed("2");
  await front.client.requestJson({
    method: "DELETE",
    path: "/api/v1/namespaces/pond",
    signal: AbortSignal.timeout(60_000),
    timeoutMs: 60_000,
  });
  await untilGone("/api/v1/namespaces/pond");
  await untilRecorded("namespace-controller", "deletecollection", `${followed}/namespaces/pond/flunders`);
});

test("a flag without an effect is refused by its name", async () => {
  const attempt = promisify(execFile)(process.execPath, [script, "--egress-selector-config-file=x"]);
  await assert.rejects(attempt, ({ stderr, code }: { stderr: string; code: number }) => {
    assert.match(stderr, /--egress-selector-config-file/);
    assert.equal(code, 1);
    return true;
  });
});
