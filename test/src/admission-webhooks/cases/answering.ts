import type { Hook } from "../hook-server.js";
import { allow, answer, base64, create, deny, patch, type WebhookCase } from "../webhook-case.js";

const once = (name: string, hook: Hook, more: Record<string, unknown> = {}): WebhookCase => ({
  name,
  webhooks: [{ type: "validating", name: "v", hook, more }],
  requests: [create("a")],
});

const mutatingOnce = (name: string, hook: Hook, more: Record<string, unknown> = {}): WebhookCase => ({
  name,
  webhooks: [{ type: "mutating", name: "m", hook, more }],
  requests: [create("a")],
});

const raw =
  (body: string, headers: Record<string, string> = { "content-type": "application/json" }): Hook =>
  () => ({ status: 200, headers, body });

/** Cases about the answers of webhooks and their effects. */
export const answeringCases: readonly WebhookCase[] = [
  once("allowed", allow()),
  once("allowed with a status that is ignored", allow({ status: { code: 403, message: "no" } })),
  once("denied without a status", deny()),
  once("denied with an empty status", deny({})),
  once("denied with a message", deny({ message: "not today" })),
  once("denied with a reason alone", deny({ reason: "Forbidden" })),
  once(
    "denied with code, reason, message and details",
    deny({
      status: "Failure",
      code: 418,
      reason: "Teapot",
      message: "short and stout",
      details: {
        name: "n",
        group: "g",
        kind: "k",
        causes: [{ reason: "r", message: "m", field: "f" }],
        retryAfterSeconds: 7,
      },
      metadata: { resourceVersion: "5" },
    }),
  ),
  once("denied with code 200", deny({ code: 200, message: "fine" })),
  once("denied with code 399", deny({ code: 399, message: "almost" })),
  once("denied with code 500", deny({ code: 500, message: "mine" })),
  once("denied with status Success", deny({ status: "Success", code: 403, message: "odd" })),
  once("denied with code 999", deny({ code: 999, message: "odd" })),
  once("denied with code 409 and reason Conflict", deny({ code: 409, reason: "Conflict", message: "again" })),
  once("denied with a code below zero", deny({ code: -5, message: "odd" })),
  once("answers warnings", allow({ warnings: ["one", "two", "one", "", 'with "quotes" and \\ and \u00e9'] })),
  once("denied with warnings", (review) =>
    answer(review, { allowed: false, warnings: ["careful"], status: { message: "no" } }),
  ),
  once("answers a warning of 300 characters", allow({ warnings: ["x".repeat(300)] })),
  once("answers a warning of 5000 characters", allow({ warnings: ["x".repeat(5000)] })),
  once(
    "answers 100 warnings of 100 characters",
    allow({ warnings: Array.from({ length: 100 }, (_, i) => `${i}`.padEnd(100, "w")) }),
  ),
  once("answers a warning with control characters", allow({ warnings: ["a\nb\tc", "d"] })),
  once("answers audit annotations", allow({ auditAnnotations: { k: "v", "a/b": "c" } })),
  once("lies about the uid", () => ({
    json: { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", response: { uid: "other", allowed: true } },
  })),
  once("sends no uid", () => ({
    json: { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", response: { allowed: true } },
  })),
  once("lies about the kind", ({ request }) => ({
    json: { apiVersion: "admission.k8s.io/v1", kind: "Pod", response: { uid: request.uid, allowed: true } },
  })),
  once("sends no kind", ({ request }) => ({
    json: { apiVersion: "admission.k8s.io/v1", response: { uid: request.uid, allowed: true } },
  })),
  once("sends neither kind nor version", ({ request }) => ({
    json: { response: { uid: request.uid, allowed: true } },
  })),
  once("lies about the version", ({ request }) => ({
    json: {
      apiVersion: "admission.k8s.io/v1beta1",
      kind: "AdmissionReview",
      response: { uid: request.uid, allowed: true },
    },
  })),
  once("sends an unknown version", ({ request }) => ({
    json: { apiVersion: "admission.k8s.io/v7", kind: "AdmissionReview", response: { uid: request.uid, allowed: true } },
  })),
  once("sends a version of another group", ({ request }) => ({
    json: { apiVersion: "v1", kind: "AdmissionReview", response: { uid: request.uid, allowed: true } },
  })),
  once("sends a Status in a 200", () => ({
    json: { apiVersion: "v1", kind: "Status", status: "Failure", message: "m" },
  })),
  once("sends the request back", (review) => ({ json: review })),
  once("sends an empty object", raw("{}")),
  once("sends an empty body", raw("")),
  once("sends null", raw("null")),
  once("sends a list", raw("[]")),
  once("sends a string", raw('"yes"')),
  once("sends broken JSON", raw('{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{')),
  once("sends text", raw("hello", { "content-type": "text/plain" })),
  once("sends YAML", raw("apiVersion: admission.k8s.io/v1\nkind: AdmissionReview\n")),
  once("sends allowed as text", (review) => answer(review, { allowed: "yes" })),
  once("sends no allowed", (review) => answer(review, {})),
  once("sends a response that is text", () => ({
    json: { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", response: "yes" },
  })),
  once("sends a status that is text", (review) => answer(review, { allowed: false, status: "no" })),
  once("sends a code that is text", (review) => answer(review, { allowed: false, status: { code: "403" } })),
  once("sends warnings that are text", (review) => answer(review, { allowed: true, warnings: "w" })),
  once("sends annotations that are numbers", (review) => answer(review, { allowed: true, auditAnnotations: { a: 1 } })),
  once("sends unknown members", (review) => answer(review, { allowed: true, more: 1 })),
  once("sends members in other letters", (review) => ({
    json: {
      ApiVersion: review.apiVersion,
      Kind: "AdmissionReview",
      Response: { UID: review.request.uid, Allowed: true },
    },
  })),
  ...["Status", "APIGroup", "ListOptions", "WatchEvent"].map((kind) =>
    once(`says that it is a ${kind}`, ({ apiVersion, request: { uid } }) => ({
      json: { apiVersion, kind, response: { uid, allowed: true } },
    })),
  ),
  ...[
    { ApiVersion: "admission.k8s.io/v7", apiVersion: "admission.k8s.io/v1" },
    { apiVersion: "admission.k8s.io/v1", ApiVersion: "admission.k8s.io/v7" },
    { apiVersion: "admission.k8s.io/v1", ApiVersion: null },
  ].map((versions) =>
    once(`names its version in two ways: ${JSON.stringify(versions)}`, ({ request: { uid } }) => ({
      json: { ...versions, kind: "AdmissionReview", response: { uid, allowed: true } },
    })),
  ),
  once("denied with an odd status", deny({ status: "Odd", code: 403, message: "no" })),
  ...[
    "odd",
    "odd type",
    "/json",
    "application/",
    "application/json, text/plain",
    "application/json;",
    "application/json; charset",
    "application/json; a=b; A=c",
    'application/json; a="b',
  ].flatMap((type) =>
    [200, 503].map((status) =>
      once(`answers ${status} of the type ${type}`, (review) => ({
        status,
        headers: { "content-type": type },
        body: JSON.stringify({
          apiVersion: review.apiVersion,
          kind: "AdmissionReview",
          response: { uid: review.request.uid, allowed: true },
        }),
      })),
    ),
  ),
  once("patches though it validates", patch([{ op: "add", path: "/data/b", value: "2" }])),
  once("names a patch type though it validates", allow({ patchType: "JSONPatch" })),
  ...[
    200, 201, 204, 206, 207, 301, 302, 307, 400, 401, 403, 404, 405, 406, 408, 409, 410, 413, 415, 422, 429, 500, 502,
    503, 504, 511,
  ].map((status) =>
    once(`answers ${status} with text`, () => ({
      status,
      headers: { "content-type": "text/plain" },
      body: "  some text\n",
    })),
  ),
  once("answers 429 and tells when to come back", () => ({ status: 429, headers: { "retry-after": "1" }, body: "" }), {
    timeoutSeconds: 2,
  }),
  once("answers a large body", (review) =>
    answer(review, { allowed: true, auditAnnotations: { big: "z".repeat(3_000_000) } }),
  ),
  once("answers 500 without a body", () => ({ status: 500, body: "" })),
  once("answers 500 with a Status", () => ({
    status: 500,
    headers: { "content-type": "application/json" },
    body: '{"kind":"Status","apiVersion":"v1","status":"Failure","message":"told","code":507,"reason":"Odd"}',
  })),
  once("answers 500 with a Status without a kind", () => ({
    status: 500,
    headers: { "content-type": "application/json" },
    body: '{"status":"Failure","message":"told"}',
  })),
  once("answers 403 with a Status", () => ({
    status: 403,
    headers: { "content-type": "application/json" },
    body: '{"kind":"Status","apiVersion":"v1","status":"Failure","message":"told","code":403,"reason":"Forbidden"}',
  })),
  once("answers 500 with JSON", () => ({
    status: 500,
    headers: { "content-type": "application/json" },
    body: '{"a":1}',
  })),
  once("answers 500 with HTML", () => ({
    status: 500,
    headers: { "content-type": "text/html" },
    body: "<html>oh</html>",
  })),
  once("answers 500 with a long text", () => ({
    status: 500,
    headers: { "content-type": "text/plain" },
    body: "y".repeat(5000),
  })),
  mutatingOnce("mutating: no patch", allow()),
  mutatingOnce("mutating: adds a member", patch([{ op: "add", path: "/data/b", value: "2" }])),
  mutatingOnce("mutating: changes nothing", patch([{ op: "test", path: "/data/a", value: "1" }])),
  mutatingOnce("mutating: an empty patch", patch([])),
  mutatingOnce("mutating: patch of no bytes", patch("")),
  mutatingOnce(
    "mutating: patch without a type",
    allow({ patch: base64([{ op: "add", path: "/data/b", value: "2" }]) }),
  ),
  mutatingOnce("mutating: a type without a patch", allow({ patchType: "JSONPatch" })),
  mutatingOnce("mutating: an empty type", allow({ patchType: "", patch: base64([]) })),
  mutatingOnce(
    "mutating: another type",
    allow({ patchType: "MergePatch", patch: base64([{ op: "add", path: "/data/b", value: "2" }]) }),
  ),
  mutatingOnce(
    "mutating: another type under Ignore",
    allow({ patchType: "MergePatch", patch: base64([{ op: "add", path: "/data/b", value: "2" }]) }),
    { failurePolicy: "Ignore" },
  ),
  mutatingOnce("mutating: patch that is no base64", allow({ patchType: "JSONPatch", patch: "***" })),
  mutatingOnce("mutating: patch that is no JSON", patch("nonsense")),
  mutatingOnce("mutating: patch that is an object", patch({ op: "add" })),
  mutatingOnce("mutating: patch that is null", patch("null")),
  mutatingOnce("mutating: patch of texts", patch(["a"])),
  ...[
    { op: "add", path: "/nowhere/b", value: "2" },
    { op: "add", value: "2" },
    { op: "add", path: "/metadata/finalizers/-", value: "a/b" },
    { op: "add", path: "/metadata/finalizers", value: "text" },
    { op: "remove", path: "/data/nothing" },
    { op: "remove", path: "/nothing/at" },
    { op: "replace", path: "/nowhere/b", value: "2" },
    { op: "replace", path: "/data/nothing", value: "2" },
    { op: "test", path: "/data/a", value: "2" },
    { op: "test", path: "/nowhere/a", value: "2" },
    { op: "move", from: "/data/nothing", path: "/data/b" },
    { op: "copy", from: "/data/nothing", path: "/data/b" },
    { op: "copy", from: "/nowhere/nothing", path: "/data/b" },
    { op: "frobnicate", path: "/data" },
    { path: "/data" },
    { op: "remove", path: "/data" },
    { op: "replace", path: "", value: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } } },
    { op: "replace", path: "", value: "text" },
    { op: "replace", path: "/kind", value: "Secret" },
    { op: "replace", path: "/kind", value: "Nothing" },
    { op: "replace", path: "/apiVersion", value: "v2" },
    { op: "remove", path: "/kind" },
    { op: "replace", path: "/data/a", value: 5 },
    { op: "add", path: "/unknown", value: 5 },
    { op: "replace", path: "/metadata/name", value: "other" },
    { op: "add", path: "/metadata/namespace", value: "other" },
    { op: "add", path: "/metadata/uid", value: "mine" },
    { op: "add", path: "/metadata/selfLink", value: "/self" },
    { op: "remove", path: "/metadata/name" },
    { op: "replace", path: "/metadata/managedFields", value: [] },
    { op: "remove", path: "/metadata/managedFields" },
    { op: "replace", path: "/metadata/managedFields/0/operation", value: "Odd" },
    { op: "replace", path: "/metadata/managedFields/0/apiVersion", value: "" },
    { op: "replace", path: "/metadata/managedFields/0/fieldsType", value: "V9" },
    { op: "replace", path: "/metadata/managedFields/0/manager", value: "hook" },
    { op: "replace", path: "/metadata/managedFields/0/fieldsV1", value: { "f:data": { "x:y": {} } } },
  ].map((operation) => mutatingOnce(`mutating: ${JSON.stringify(operation)}`, patch([operation]))),
  mutatingOnce("mutating: broken patch under Ignore", patch([{ op: "remove", path: "/data/nothing" }]), {
    failurePolicy: "Ignore",
  }),
  mutatingOnce("mutating: denied with a patch", (review) =>
    answer(review, {
      allowed: false,
      patchType: "JSONPatch",
      patch: base64([{ op: "add", path: "/data/b", value: "2" }]),
    }),
  ),
  once("v1beta1: allowed", allow(), { admissionReviewVersions: ["v1beta1"] }),
  once("v1beta1: denied", deny({ message: "m", code: 403 }), { admissionReviewVersions: ["v1beta1", "v1"] }),
  once(
    "v1beta1: lies about uid and kind",
    () => ({
      json: { apiVersion: "admission.k8s.io/v1beta1", kind: "AdmissionReview", response: { uid: "x", allowed: true } },
    }),
    { admissionReviewVersions: ["v1beta1"] },
  ),
  once("v1beta1: says no kind", () => ({ json: { response: { allowed: true } } }), {
    admissionReviewVersions: ["v1beta1"],
  }),
  once(
    "v1beta1: answers in v1",
    ({ request }) => ({
      json: {
        apiVersion: "admission.k8s.io/v1",
        kind: "AdmissionReview",
        response: { uid: request.uid, allowed: true },
      },
    }),
    { admissionReviewVersions: ["v1beta1"] },
  ),
  once("v1beta1: no response", () => ({ json: { apiVersion: "admission.k8s.io/v1beta1", kind: "AdmissionReview" } }), {
    admissionReviewVersions: ["v1beta1"],
  }),
  mutatingOnce(
    "v1beta1: patch without a type",
    (review) => answer(review, { allowed: true, patch: base64([{ op: "add", path: "/data/b", value: "2" }]) }),
    { admissionReviewVersions: ["v1beta1"] },
  ),
  once("knows a version that nobody knows first", allow(), { admissionReviewVersions: ["v7", "v1"] }),
];
