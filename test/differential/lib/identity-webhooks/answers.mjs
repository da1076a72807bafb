// Answers of webhooks for tokens, access and images drawn at random: functions of a review and of the number of the call, that
// make what a stand-in sends.
import { gzipSync } from "node:zlib";
import { drawBroken, drawTransported } from "../webhook-reviews/answers.mjs";

/** Draws a program: the answer to each call about a subject. `statuses` are those of `statuses.mjs` for a kind of review. */
export function drawAnswers(r, statuses) {
  const last = drawAnswer(r, statuses);
  if (!r.chance(0.15)) return last;
  const first = Array.from({ length: 1 + r.int(3) }, () => drawPassing(r));
  return (review, nth) => (first[nth] ?? last)(review, nth);
}

function drawAnswer(r, statuses) {
  if (r.chance(0.01)) return () => "hang";
  const roll = r.int(20);
  if (roll < 9) return plain(statuses.draw(r));
  if (roll < 11) return plain(statuses.misshapen(r));
  if (roll < 15) return envelope(r, statuses.usual);
  if (roll < 16) return spelled(r, statuses.usual);
  if (roll < 18) return drawTransported(r, (review, more) => JSON.stringify(reviewed(review, statuses.usual, more)));
  if (roll < 19) return drawBroken(r, (review, more) => JSON.stringify(reviewed(review, statuses.usual, more)));
  return encoded(r, statuses.usual);
}

/** Draws a failure after which a review is sent again, or looks as if it were. */
function drawPassing(r) {
  const status = r.pick([429, 500, 500, 503, 504]);
  const headers = {
    "content-type": "application/json",
    ...(r.chance(0.3) && { "retry-after": r.pick(["0", "0", "1", "x", "-1", "0.5"]) }),
  };
  const told = { kind: "Status", apiVersion: "v1", status: "Failure", message: "later", ...r.pick(toldReasons) };
  const answer = r.chance(0.2) ? "close" : { status, headers, body: r.chance(0.5) ? "" : JSON.stringify(told) };
  return () => answer;
}

const toldReasons = [
  {},
  { reason: "InternalError" },
  { reason: "Timeout", code: 504 },
  { reason: "TooManyRequests", code: 429 },
  { reason: "Odd", code: 400 },
  { reason: "InternalError", code: 400 },
  { reason: "Timeout", code: 400 },
  { reason: "TooManyRequests", code: 0 },
  { reason: "Forbidden" },
  { code: 400, details: { retryAfterSeconds: 1 } },
  { reason: "ServerTimeout", code: 500, details: { retryAfterSeconds: 1 } },
  { reason: "TooManyRequests", code: 429, details: { retryAfterSeconds: 0 } },
  { reason: "NotFound", code: 500 },
];

function reviewed({ apiVersion, kind }, status, more) {
  return { apiVersion, kind, status, ...more };
}

const plain = (status) => (review) => ({ body: JSON.stringify(reviewed(review, status)) });

/** Bodies whose status is right, in envelopes that are not. */
function envelope(r, status) {
  const other = ({ apiVersion }, version) => `${apiVersion.split("/")[0]}/${version}`;
  const versions = ["v1", "v1beta1", "v1alpha1", "v2", ""];
  const groups = ["authentication.k8s.io", "authorization.k8s.io", "imagepolicy.k8s.io", "admission.k8s.io"];
  const kinds = ["TokenReview", "SubjectAccessReview", "LocalSubjectAccessReview", "SelfSubjectReview", "ImageReview"];
  const others = ["", "Status", "Pod", "APIGroup", "ListOptions", "WatchEvent", "List", "tokenreview", null, 5, {}];
  const made = r.pick([
    ...[
      "",
      " ",
      "null",
      "[]",
      "[1]",
      '"text"',
      "5",
      "true",
      "{}",
      "{",
      "hello",
      "<html>",
      "a: b\nc: d",
      "---\n",
      "a: [",
      "{}}",
    ].map((body) => () => body),
    (review) => `apiVersion: ${review.apiVersion}\nkind: ${review.kind}\nstatus: ${JSON.stringify(status)}\n`,
    (review) => `kind: ${review.kind}\nstatus: {allowed: yes, authenticated: "true"}\n`,
    (review) => ({ ...review, status }),
    (review) => review,
    ...versions.map((version) => (review) => ({ ...reviewed(review, status), apiVersion: other(review, version) })),
    ...groups.map((group) => (review) => ({ ...reviewed(review, status), apiVersion: `${group}/v1` })),
    ...["v1", "", "/v1", "a/b/c", 1, null, {}, "authentication.k8s.io"].map((apiVersion) => (review) => ({
      ...reviewed(review, status),
      apiVersion,
    })),
    ...[...kinds, ...others].map((kind) => (review) => ({ ...reviewed(review, status), kind })),
    ...[...kinds, "Pod", "Status", "Namespace"].map((kind) => () => ({ kind, apiVersion: "v1", status })),
    ...["Deployment", "Scale", "ListOptions"].map((kind) => () => ({ kind, apiVersion: "apps/v1", status })),
    () => ({ status }),
    ({ kind }) => ({ kind, status }),
    ({ apiVersion }) => ({ apiVersion, status }),
    () => ({ kind: "Status", apiVersion: "v1", status: "Failure", message: "told", code: 403, reason: "Forbidden" }),
    () => ({ kind: "Status", apiVersion: "v1", status: "Success", message: "told" }),
    () => ({ kind: "Status", apiVersion: "v1", status: "Failure" }),
    () => ({ kind: "Status", apiVersion: "v1", status: { allowed: true } }),
    (review) => reviewed(review, status, { metadata: { name: "n", labels: { a: "b" }, creationTimestamp: null } }),
    (review) => reviewed(review, status, { metadata: { creationTimestamp: "soon" } }),
    (review) => reviewed(review, status, { metadata: "x" }),
    (review) => reviewed(review, status, { metadata: { labels: { a: 1 } } }),
    (review) => reviewed(review, status, { spec: "x" }),
    (review) => reviewed(review, status, { spec: { namespace: 5, token: 5, user: 5 } }),
    (review) => reviewed(review, status, { spec: null }),
    (review) => reviewed(review, status, { more: { a: [1] }, "": 2, __proto__x: 3 }),
    (review) => reviewed(review, status, { response: { allowed: false } }),
    (review) => `${JSON.stringify(reviewed(review, status))}{}`,
    (review) => `${JSON.stringify(reviewed(review, status))} trailing`,
    (review) => `\ufeff${JSON.stringify(reviewed(review, status))}`,
    (review) => ` \n${JSON.stringify(reviewed(review, status))}\n`,
    (review) => `// note\n${JSON.stringify(reviewed(review, status))}`,
    (review) => JSON.stringify(reviewed(review, status)).replace("}", ",}"),
    (review) => JSON.stringify(reviewed(review, status)).replaceAll('"', "'"),
  ]);
  return (review) => {
    const body = made(review);
    return { body: typeof body === "string" ? body : JSON.stringify(body) };
  };
}

/** Members in other letters, given twice, or both. */
function spelled(r, status) {
  const names = {
    apiVersion: r.pick(["apiVersion", "apiversion", "APIVERSION"]),
    kind: r.pick(["kind", "Kind", "\u212aind"]),
    status: r.pick(["status", "Status", "STATUS", "\u017ftatus"]),
  };
  // v1.29 joins the members of a status that is given twice (decision 0032).
  const twice = r.pick([undefined, "apiVersion", "kind"]);
  const odd = {
    apiVersion: r.pick(["v7/v7", null]),
    kind: r.pick(["Odd", null]),
  };
  const isFirst = r.chance(0.5);
  const isOtherLetters = r.chance(0.5);
  const inner = r.chance(0.5) ? status : recased(r, status);
  return ({ apiVersion, kind }) => {
    const own = { apiVersion, kind, status: inner };
    const members = Object.entries(names).flatMap(([member, name]) => {
      const said = `${JSON.stringify(name)}:${JSON.stringify(own[member])}`;
      if (member !== twice) return [said];
      const other = `${JSON.stringify(isOtherLetters ? member.toUpperCase() : name)}:${JSON.stringify(odd[member])}`;
      return isFirst ? [other, said] : [said, other];
    });
    return { body: `{${members.join(",")}}` };
  };
}

function recased(r, status) {
  const letters = r.pick([(name) => name.toUpperCase(), (name) => name[0].toUpperCase() + name.slice(1)]);
  return Object.fromEntries(Object.entries(status).map(([name, value]) => [letters(name), value]));
}

/** Bodies in a content encoding. */
function encoded(r, status) {
  const encoding = r.pick(["gzip", "gzip", "GZIP", "identity", "deflate", "br", ""]);
  const isZipped = r.chance(0.8);
  const isCut = r.chance(0.2);
  return (review) => {
    const text = Buffer.from(JSON.stringify(reviewed(review, status)));
    const whole = isZipped ? gzipSync(text) : text;
    const body = isCut ? whole.subarray(0, whole.length - 9) : whole;
    return { headers: { "content-type": "application/json", "content-encoding": encoding }, body };
  };
}
