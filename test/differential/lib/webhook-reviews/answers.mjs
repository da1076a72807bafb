// Answers of admission webhooks drawn at random, most of them valid: functions of a review, that make what a stand-in sends.
import { drawPatch } from "./patches.mjs";

/** Draws the answer of a webhook that lets a write pass, with warnings and annotations now and then. */
export function drawAllowance(r) {
  const more = { ...(r.chance(0.2) && { warnings: drawWarnings(r) }), ...(r.chance(0.2) && annotationsOf(r)) };
  return (review) => reviewed(review, { allowed: true, ...more });
}

/** Draws any answer; `type` is "Mutating" or "Validating", `resource` what the write is about. */
export function drawAnswer(r, type, resource) {
  const kind = r.pick(type === "Mutating" ? mutatingKinds : validatingKinds);
  return kind(r, { type, resource });
}

const json = { "content-type": "application/json" };
const base64 = (value) => Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64");

function reviewed({ apiVersion, request }, response) {
  return { body: JSON.stringify({ apiVersion, kind: "AdmissionReview", response: { uid: request.uid, ...response } }) };
}

const denied = (r) => {
  const status = r.chance(0.15) ? undefined : drawStatus(r);
  const warnings = r.chance(0.2) ? drawWarnings(r) : undefined;
  return (review) => reviewed(review, { allowed: false, status, warnings });
};

/** Draws a Status as a webhook may send one. */
export function drawStatus(r) {
  const maybe = (name, values, chance = 0.5) => (r.chance(chance) ? { [name]: r.pick(values) } : {});
  return {
    ...maybe("code", [400, 403, 404, 409, 422, 429, 500, 503, 504, 0, 200, 201, 302, 399, 99, 600, 999, -1]),
    ...maybe("message", ["no", "", "a\nb", "é <&>\u2028", 'with "quotes" and % %s', "x".repeat(2000)], 0.7),
    ...maybe("reason", [
      "Forbidden",
      "NotFound",
      "Conflict",
      "AlreadyExists",
      "Invalid",
      "Odd",
      "",
      "TooManyRequests",
      "Timeout",
    ]),
    ...maybe("status", ["Failure", "Success", "", "Odd"], 0.3),
    ...maybe(
      "details",
      [
        {},
        { name: "n", kind: "k" },
        { retryAfterSeconds: 3 },
        { retryAfterSeconds: -1 },
        { causes: [] },
        { causes: [{ reason: "r", message: "m", field: "f" }, {}] },
        { uid: "u", group: "g", name: "" },
        null,
      ],
      0.3,
    ),
    ...maybe(
      "metadata",
      [{}, { resourceVersion: "5", continue: "c", remainingItemCount: 2, selfLink: "s" }, null],
      0.15,
    ),
    ...maybe("kind", ["Status", "Odd"], 0.1),
    ...maybe("apiVersion", ["v1", "v9"], 0.1),
  };
}

function drawWarnings(r) {
  return r.pick([
    ["one"],
    ["one", "two", "one"],
    ["", "one"],
    ['q"\\', "é", "\u{1f600}"],
    ["a\nb", "c\td", "\u0000", "\u007f", "\u0085", "\u00a0", "fine"],
    ["x".repeat(255), "y".repeat(256), "z".repeat(257)],
    ["x".repeat(5000), "short"],
    Array.from({ length: 60 }, (_, i) => `${i} `.padEnd(100, "w")),
    Array.from({ length: 300 }, (_, i) => `${i}`),
    [" blanks "],
    ["é".repeat(200)],
    null,
    [],
  ]);
}

function annotationsOf(r) {
  return {
    auditAnnotations: r.pick([
      { k: "v" },
      { "a/b": "c", é: "f" },
      { "": "empty" },
      { "a b": "", A_b: "x\ny" },
      { k: "v".repeat(3000) },
      { __proto__x: "1", constructor: "2", toString: "3" },
      {},
      null,
    ]),
  };
}

const patched = (r, { resource }) => {
  const patch = base64(drawPatch(r, resource));
  const more = r.chance(0.1) ? { warnings: ["patched"], status: { code: 403, message: "unused" } } : {};
  return (review) => reviewed(review, { allowed: true, patchType: "JSONPatch", patch, ...more });
};

const patchMembers = (r, { resource }) => {
  const patch = base64(drawPatch(r, resource));
  const members = r.pick([
    { patch },
    { patchType: "JSONPatch" },
    { patchType: "", patch },
    { patchType: "MergePatch", patch },
    { patchType: null, patch },
    { patchType: "JSONPatch", patch: null },
    { patchType: "JSONPatch", patch: "" },
    { patchType: "JSONPatch", patch: "***" },
    { patchType: "JSONPatch", patch: `${patch}=` },
    { patchType: "JSONPatch", patch: `${patch.slice(0, 8)}\n${patch.slice(8)}` },
    { patchType: "JSONPatch", patch: patch.replaceAll("=", "") },
    { patchType: "JSONPatch", patch: 5 },
    { patchType: "JSONPatch", patch: [1, 2] },
    { patchType: "JSONPatch", patch: [91, 93] },
    { patchType: "JSONPatch", patch: [] },
    { patchType: "JSONPatch", patch: [300] },
    { patchType: "JSONPatch", patch: base64("null") },
    { patchType: "JSONPatch", patch: base64("{}") },
    { patchType: "JSONPatch", patch: base64("nonsense") },
    { patchType: "JSONPatch", patch: base64(" [] ") },
    { patchType: "MergePatch", patch: base64("[]") },
    { patchType: 5, patch },
  ]);
  const allowed = r.chance(0.85);
  return (review) => reviewed(review, { allowed, ...members });
};

/** Members that do not fit the review. */
const misshapen = (r) => {
  const odd = r.pick([
    () => ({ body: "" }),
    () => ({ body: "null" }),
    () => ({ body: "[]" }),
    () => ({ body: '"text"' }),
    () => ({ body: "5" }),
    () => ({ body: "{}" }),
    () => ({ body: "{" }),
    () => ({ body: "hello" }),
    () => ({ body: "a: b\nc: d" }),
    ({ apiVersion, request: { uid } }) => ({
      body: `apiVersion: ${apiVersion}\nkind: AdmissionReview\nresponse: {uid: ${uid}, allowed: true}\n`,
    }),
    ({ apiVersion }) => ({ body: JSON.stringify({ apiVersion, kind: "AdmissionReview" }) }),
    ({ apiVersion }) => ({ body: JSON.stringify({ apiVersion, kind: "AdmissionReview", response: null }) }),
    ({ apiVersion }) => ({ body: JSON.stringify({ apiVersion, kind: "AdmissionReview", response: {} }) }),
    ({ apiVersion }) => ({ body: JSON.stringify({ apiVersion, kind: "AdmissionReview", response: "yes" }) }),
    ({ apiVersion }) => ({ body: JSON.stringify({ apiVersion, kind: "AdmissionReview", response: [] }) }),
    (review) => ({ body: JSON.stringify(review) }),
    (review) => reviewed(review, { uid: "other", allowed: true }),
    (review) => reviewed(review, { uid: undefined, allowed: true }),
    (review) => reviewed(review, { uid: 5, allowed: true }),
    (review) => reviewed(review, { uid: review.request.uid.toUpperCase(), allowed: true }),
    (review) => reviewed({ ...review, apiVersion: "admission.k8s.io/v1" }, { allowed: true }),
    (review) => reviewed({ ...review, apiVersion: "admission.k8s.io/v1beta1" }, { allowed: true }),
    (review) => reviewed({ ...review, apiVersion: "admission.k8s.io/v2" }, { allowed: true }),
    (review) => reviewed({ ...review, apiVersion: "v1" }, { allowed: true }),
    (review) => reviewed({ ...review, apiVersion: "" }, { allowed: true }),
    (review) => reviewed({ ...review, apiVersion: 1 }, { allowed: true }),
    (review) => reviewed({ ...review, apiVersion: null }, { allowed: true }),
    ...["", "Pod", "Status", "APIGroup", "ListOptions", "WatchEvent", "admissionreview", null, 5].map(
      (kind) =>
        ({ apiVersion, request: { uid } }) => ({
          body: JSON.stringify({ apiVersion, kind, response: { uid, allowed: true } }),
        }),
    ),
    ({ request: { uid } }) => ({ body: JSON.stringify({ response: { uid, allowed: true } }) }),
    ({ request: { uid } }) => ({ body: JSON.stringify({ kind: "AdmissionReview", response: { uid, allowed: true } }) }),
    () => ({
      body: JSON.stringify({ kind: "Status", apiVersion: "v1", status: "Failure", message: "told", code: 403 }),
    }),
    ...["yes", 1, null, [], {}, "true"].map((allowed) => (review) => reviewed(review, { allowed })),
    ...[
      "no",
      5,
      [],
      { code: "403" },
      { code: 403.5 },
      { code: 1e10 },
      { message: 5 },
      { details: "x" },
      { details: { causes: {} } },
    ].map((status) => (review) => reviewed(review, { allowed: false, status })),
    ...["w", 5, {}, [5], [null], [["a"]]].map((warnings) => (review) => reviewed(review, { allowed: true, warnings })),
    ...["w", 5, [], { a: 1 }, { a: null }, { a: {} }].map(
      (auditAnnotations) => (review) => reviewed(review, { allowed: true, auditAnnotations }),
    ),
    (review) => reviewed(review, { allowed: true, more: { a: 1 }, "": 2 }),
    (review) => ({ body: `${reviewed(review, { allowed: true }).body}{}` }),
    (review) => ({ body: `${reviewed(review, { allowed: true }).body} trailing` }),
    (review) => ({ body: `\ufeff${reviewed(review, { allowed: true }).body}` }),
    (review) => ({ body: ` \n${reviewed(review, { allowed: true }).body}\n` }),
  ]);
  return odd;
};

/** Members in other letters, given twice, or both. */
const spelled = (r) => {
  const names = {
    apiVersion: r.pick(["apiVersion", "apiversion", "APIVERSION", "ApiVersion"]),
    kind: r.pick(["kind", "Kind", "KIND"]),
    response: r.pick(["response", "Response", "RESPONSE"]),
    uid: r.pick(["uid", "UID", "Uid"]),
    allowed: r.pick(["allowed", "Allowed", "ALLOWED", "allowed\u017f"]),
  };
  const twice = r.pick([undefined, "apiVersion", "kind", "response", "uid", "allowed"]);
  const isFirst = r.chance(0.5);
  const isOtherLetters = r.chance(0.5);
  return ({ apiVersion, request: { uid } }) => {
    const member = (name, value, odd) => {
      const own = `${JSON.stringify(names[name])}:${JSON.stringify(value)}`;
      if (name !== twice) return own;
      const other = `${JSON.stringify(isOtherLetters ? name.toUpperCase() : names[name])}:${JSON.stringify(odd)}`;
      return isFirst ? `${other},${own}` : `${own},${other}`;
    };
    const response = `{${member("uid", uid, "other")},${member("allowed", true, false)}}`;
    const own = `${JSON.stringify(names.response)}:${response}`;
    const other = `${JSON.stringify(isOtherLetters ? "RESPONSE" : names.response)}:{"warnings":["from the other"]}`;
    const both = twice === "response" ? (isFirst ? `${other},${own}` : `${own},${other}`) : own;
    return {
      body: `{${member("apiVersion", apiVersion, "admission.k8s.io/v7")},${member("kind", "AdmissionReview", "Pod")},${both}}`,
    };
  };
};

const statusBody = (r) =>
  r.pick([
    "",
    "some text\n",
    '{"a":1}',
    "{",
    "<html>",
    "y".repeat(5000),
    JSON.stringify({ kind: "Status", apiVersion: "v1", ...drawStatus(r), status: "Failure" }),
    JSON.stringify({ kind: "Status", apiVersion: "v1", ...drawStatus(r) }),
    JSON.stringify({ ...drawStatus(r), status: "Failure" }),
  ]);

/**
 * Draws an answer whose status or content type is seldom that of a review; `bodyOf(review)` is the body that would be right.
 */
export function drawTransported(r, bodyOf) {
  const status = r.pick([
    200, 200, 200, 201, 202, 203, 204, 205, 206, 207, 300, 304, 400, 401, 403, 404, 405, 406, 409, 410, 413, 415, 418,
    422, 429, 451, 500, 501, 502, 503, 504, 599, 600, 799, 999,
  ]);
  const headers = r.pick([
    json,
    json,
    { "content-type": "text/plain" },
    { "content-type": "application/json; charset=utf-8" },
    { "content-type": "application/json;" },
    { "content-type": "application/yaml" },
    { "content-type": "application/vnd.kubernetes.protobuf" },
    { "content-type": "odd type" },
    { "content-type": "" },
    {},
  ]);
  const body = r.chance(0.4) ? statusBody(r) : undefined;
  return (review) => {
    if (status === 204 || status === 304) return { status, headers, body: "" };
    return { status, headers, body: body ?? bodyOf(review) };
  };
}

/** Draws an answer that does not arrive whole, or is of megabytes; `bodyOf(review, more)` is one with more members. */
export function drawBroken(r, bodyOf) {
  const roll = r.int(8);
  if (roll < 3) return () => "close";
  if (roll < 6) return (review) => ({ cut: bodyOf(review).slice(0, 40) });
  const size = r.pick([1e6, 3e6]);
  return (review) => ({ body: bodyOf(review, { more: "z".repeat(size) }) });
}

const allowingBody = (review, more) => reviewed(review, { allowed: true, ...more }).body;
const transported = (r) => drawTransported(r, allowingBody);
const broken = (r) => drawBroken(r, allowingBody);
const allowed = (r) => drawAllowance(r);
const validatingKinds = [
  allowed,
  denied,
  denied,
  denied,
  misshapen,
  misshapen,
  spelled,
  transported,
  transported,
  broken,
  patchMembers,
];
const mutatingKinds = [
  ...Array(9).fill(patched),
  allowed,
  denied,
  denied,
  misshapen,
  spelled,
  transported,
  broken,
  patchMembers,
  patchMembers,
];
