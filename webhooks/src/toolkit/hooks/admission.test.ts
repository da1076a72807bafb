import assert from "node:assert/strict";
import { test } from "node:test";
import { anyCaller } from "@gatehouse/component-base/https-service";
import type { JsonObject } from "@gatehouse/envelopes/json";
import type { appsV1, coreV1 } from "@gatehouse/envelopes/types";
import express from "express";
import request from "supertest";
import { allow, deny, patch } from "../decision/decision.js";
import { mutator } from "../handlers/mutator.js";
import { validator } from "../handlers/validator.js";
import { type Lookup, lookupIn } from "../lookup/lookup.js";
import { admission } from "./admission.js";
import { admissionEndpoints } from "./admission-endpoints.js";
import { type Hook, mutatingHook, validatingHook } from "./hook.js";
import type { HookOptions } from "./hook-options.js";

const rules = [
  { operations: ["CREATE" as const], apiGroups: ["apps"], apiVersions: ["v1"], resources: ["deployments"] },
];

function reviewOf(request: JsonObject = {}, apiVersion = "admission.k8s.io/v1"): JsonObject {
  return {
    apiVersion,
    kind: "AdmissionReview",
    request: {
      uid: "705ab4f5-6393-11e8-b7cc-42010a800002",
      kind: { group: "apps", version: "v1", kind: "Deployment" },
      resource: { group: "apps", version: "v1", resource: "deployments" },
      name: "web",
      namespace: "shop",
      operation: "CREATE",
      userInfo: { username: "jane", groups: ["dev"], extra: { key: ["a"] } },
      object: { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web" }, spec: { replicas: 9 } },
      oldObject: null,
      dryRun: false,
      options: { apiVersion: "meta.k8s.io/v1", kind: "CreateOptions" },
      ...request,
    },
  };
}

async function post(hook: Hook, review: JsonObject) {
  const app = express();
  app.use("/hooks", admission({ hooks: [hook], callers: anyCaller }));
  return await request(app).post(`/hooks${hook.path}`).send(review);
}

const few = validatingHook({
  name: "few.example.com",
  rules,
  handler: validator<appsV1.Deployment>((deployment, { userInfo, dryRun, namespace, requestKind }) =>
    (deployment.spec?.replicas ?? 1) > 3
      ? deny(`too many for ${userInfo.username} in ${namespace} (${requestKind.kind}, ${dryRun})`)
          .withWarnings("think of the poor")
          .withAuditAnnotations({ replicas: "9" })
      : allow(),
  ),
});

test("a denial goes back in the version that came, with uid, status, warnings and annotations", async () => {
  for (const apiVersion of ["admission.k8s.io/v1", "admission.k8s.io/v1beta1"]) {
    const response = await post(few, reviewOf({}, apiVersion));
    assert.equal(response.status, 200);
    assert.deepEqual(response.body, {
      kind: "AdmissionReview",
      apiVersion,
      response: {
        uid: "705ab4f5-6393-11e8-b7cc-42010a800002",
        allowed: false,
        status: {
          kind: "Status",
          apiVersion: "v1",
          metadata: {},
          status: "Failure",
          message: "too many for jane in shop (Deployment, false)",
          reason: "Forbidden",
          code: 403,
        },
        warnings: ["think of the poor"],
        auditAnnotations: { replicas: "9" },
      },
    });
  }
});

test("what is allowed goes back with nothing else", async () => {
  const object = { spec: { replicas: 1 } };
  assert.deepEqual((await post(few, reviewOf({ object }))).body.response, {
    uid: "705ab4f5-6393-11e8-b7cc-42010a800002",
    allowed: true,
  });
});

test("a mutating hook answers with a JSON Patch in base64", async () => {
  const hook = mutatingHook({
    name: "scale.example.com",
    rules,
    handler: mutator<appsV1.Deployment>((draft) => {
      if (draft.spec !== undefined) {
        draft.spec.replicas = 3;
      }
    }),
  });
  const { response } = (await post(hook, reviewOf())).body;
  assert.equal(response.patchType, "JSONPatch");
  assert.deepEqual(JSON.parse(Buffer.from(response.patch, "base64").toString()), [
    { op: "replace", path: "/spec/replicas", value: 3 },
  ]);
});

test("members that a newer server sends are no fault", async () => {
  const review = reviewOf({ somethingNew: { a: 1 } });
  assert.equal((await post(few, { ...review, more: 1 })).status, 200);
});

const malformed: readonly [name: string, review: JsonObject, message: string][] = [
  [
    "another kind",
    { kind: "Pod", apiVersion: "v1" },
    '"Pod" of "v1" is no AdmissionReview of admission.k8s.io/v1 or v1beta1',
  ],
  [
    "another version",
    reviewOf({}, "admission.k8s.io/v2"),
    '"AdmissionReview" of "admission.k8s.io/v2" is no AdmissionReview of admission.k8s.io/v1 or v1beta1',
  ],
  [
    "no request",
    { kind: "AdmissionReview", apiVersion: "admission.k8s.io/v1" },
    "AdmissionReview: request: is required",
  ],
  [
    "missing and mistyped members",
    reviewOf({ uid: 1, userInfo: null, dryRun: "yes" }),
    "AdmissionReview: request.uid: must be string; request.userInfo: must be object; request.dryRun: must be boolean",
  ],
  [
    "groups without end",
    reviewOf({ userInfo: { username: "x", groups: Array.from({ length: 12_000 }, () => 1) } }),
    "AdmissionReview: request: has more than 12000 values",
  ],
  ["an object that is none", reviewOf({ object: "text" }), "AdmissionReview: request.object: must be object"],
  [
    "an unknown operation",
    reviewOf({ operation: "PATCH" }),
    "AdmissionReview: request.operation: must be one of CREATE, UPDATE, DELETE, CONNECT",
  ],
  ["a creation of nothing", reviewOf({ object: null }), "AdmissionReview: request.object: is required for CREATE"],
  [
    "an update without the old object",
    reviewOf({ operation: "UPDATE" }),
    "AdmissionReview: request.object and request.oldObject: are required for UPDATE",
  ],
  [
    "a deletion of nothing",
    reviewOf({ operation: "DELETE", object: null }),
    "AdmissionReview: request.oldObject: is required for DELETE",
  ],
];

for (const [name, review, message] of malformed) {
  test(`a review with ${name} is refused with 400`, async () => {
    const response = await post(few, review);
    assert.deepEqual([response.status, response.body.reason, response.body.message], [400, "BadRequest", message]);
  });
}

const failing: readonly [name: string, handler: Hook["handler"]][] = [
  [
    "throws",
    () => {
      throw new Error("broken");
    },
  ],
  ["rejects", () => Promise.reject(new Error("broken"))],
  ["returns no decision", () => undefined as never],
  ["returns a patch though it is a validating one", () => patch([{ op: "remove", path: "/spec" }])],
  [
    "reads what it has not named",
    (_request, { lookup }) => {
      lookup.list({ apiVersion: "v1", kind: "Node", resource: "nodes", namespaced: false });
      return allow();
    },
  ],
];

for (const [name, handler] of failing) {
  test(`a hook that ${name} has failed to decide, which is 500 and no denial`, async () => {
    const response = await post(validatingHook({ name: "bad.example.com", rules, handler }), reviewOf());
    assert.equal(response.status, 500);
    assert.equal(
      response.body.message,
      'Internal error occurred: hook "bad.example.com" failed to decide; its log has the details',
    );
  });
}

const image = (wanted: string) =>
  validator<coreV1.Pod>((pod) =>
    pod.spec?.containers.every(({ image }) => image === wanted) ? allow() : deny("image"),
  );
const template = { metadata: { labels: { app: "a" } }, spec: { containers: [{ name: "c", image: "x" }] } };

const workloads: readonly [kind: string, group: string, object: JsonObject, templatePath: string][] = [
  ["Pod", "", { ...template }, ""],
  ["PodTemplate", "", { template }, "/template"],
  ["ReplicationController", "", { spec: { template } }, "/spec/template"],
  ["Deployment", "apps", { spec: { template } }, "/spec/template"],
  ["StatefulSet", "apps", { spec: { template } }, "/spec/template"],
  ["CronJob", "batch", { spec: { jobTemplate: { spec: { template } } } }, "/spec/jobTemplate/spec/template"],
];

for (const [kind, group, object, path] of workloads) {
  test(`a rule for pods applies to a ${kind} by one word, and what it changes is changed there`, async () => {
    const review = reviewOf({ kind: { group, version: "v1", kind }, object });
    const ask = async (wanted: string) =>
      (await post(validatingHook({ name: "a.example.com", workloads: true, handler: image(wanted) }), review)).body
        .response;
    assert.equal((await ask("x")).allowed, true);
    assert.equal((await ask("y")).status.message, "image");
    const seen: unknown[] = [];
    const label = mutatingHook({
      name: "b.example.com",
      workloads: true,
      handler: mutator<coreV1.Pod>((pod, asked) => {
        seen.push(asked.kind.kind, pod.spec?.containers.length);
        pod.metadata = { ...pod.metadata, labels: { ...pod.metadata?.labels, team: "a" } };
      }),
    });
    const { response } = (await post(label, review)).body;
    assert.deepEqual(seen, ["Pod", 1]);
    assert.deepEqual(JSON.parse(Buffer.from(response.patch, "base64").toString()), [
      { op: "add", path: `${path}/metadata/labels/team`, value: "a" },
    ]);
  });
}

test("a rule for workloads says nothing about other kinds and subresources", async () => {
  const hook = validatingHook({ name: "a.example.com", workloads: true, handler: () => deny("no") });
  const other = reviewOf({ kind: { group: "", version: "v1", kind: "ConfigMap" } });
  assert.equal((await post(hook, other)).body.response.allowed, true);
  assert.equal((await post(hook, reviewOf({ subResource: "status" }))).body.response.allowed, true);
});

const wrong: readonly [name: string, options: Partial<HookOptions>, message: string][] = [
  [
    "a short name",
    { name: "few", rules },
    'hook "few": name: should be a domain with at least three segments separated by dots',
  ],
  ["no rules", { rules: [] }, 'hook "a.b.c": rules: without one the hook would never be called'],
  [
    "rules and workloads",
    { rules, workloads: true },
    'hook "a.b.c": rules: workloads says already which resources there are; give one of the two',
  ],
  [
    "a timeout that servers refuse",
    { rules, timeoutSeconds: 31 },
    'hook "a.b.c": timeoutSeconds: must be a whole number between 1 and 30',
  ],
  [
    "rules that servers refuse",
    { rules: [{ operations: ["*", "CREATE"], apiGroups: [], apiVersions: ["v1"], resources: [""] }] },
    `hook "a.b.c": rules[0].operations: if '*' is present, must not specify other operations; rules[0].apiGroups: is required; rules[0].resources: must not hold an empty text`,
  ],
];

for (const [name, options, message] of wrong) {
  test(`a hook with ${name} cannot be declared`, () => {
    assert.throws(() => validatingHook({ name: "a.b.c", handler: () => allow(), ...options }), new TypeError(message));
  });
}

const reading = (name: string): Hook =>
  validatingHook({
    name,
    rules,
    reads: [
      { apiVersion: "v1", kind: "Namespace", resource: "namespaces", namespaced: false },
      { apiVersion: "apps/v1", kind: "Deployment", resource: "deployments", namespaced: true },
    ],
    handler: () => allow(),
  });

test("hooks that read other objects cannot be mounted without a lookup, and the error names them and their resources", () => {
  const hooks = [few, reading("a.example.com"), reading("b.example.com")];
  const expected = {
    name: "TypeError",
    message:
      "hooks that read other objects need a lookup, which openLookup() opens: " +
      "a.example.com reads namespaces of v1, deployments of apps/v1; " +
      "b.example.com reads namespaces of v1, deployments of apps/v1",
  };
  assert.throws(() => admissionEndpoints(hooks), expected);
  assert.throws(() => admission({ hooks }), expected);
});

test("endpoints of hooks are made without a lookup when none of them reads, and with any lookup when some do", () => {
  const lookup: Lookup = { get: () => undefined, list: () => [] };
  assert.deepEqual(
    [...admissionEndpoints([few]), ...admissionEndpoints([reading("a.example.com")], lookup)].map(({ name }) => name),
    ["few.example.com", "a.example.com"],
  );
});

test("a lookup names a resource that it does not follow, and tells what to do", () => {
  const pods = { apiVersion: "v1", kind: "Pod", resource: "pods", namespaced: true };
  assert.throws(() => lookupIn(new Map()).list(pods), {
    name: "TypeError",
    message: "the lookup does not follow pods of v1: name it in `reads` of a hook that the lookup is opened for",
  });
});
