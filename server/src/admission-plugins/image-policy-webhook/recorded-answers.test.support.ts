import type { JsonObject } from "@gatehouse/envelopes/json";

/** An answer of a webhook, and the response of kube-apiserver v1.29.0 to a pod `p` when it does not fail open. */
export interface RecordedAnswer {
  readonly what: string;
  /** The HTTP status; 0 for a connection that is closed instead. */
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body: text, or a document to which the `spec` of the request is added. */
  readonly body: string | JsonObject;
  /** Number of calls of the webhook. */
  readonly calls: number;
  readonly refused: { readonly code: number; readonly reason: string; readonly message: string } | null;
}

const apiVersion = "imagepolicy.k8s.io/v1alpha1";
const kind = "ImageReview";
const forbidden = (message: string) => ({ code: 403, reason: "Forbidden", message });
const forbiddenPod = (message: string) => forbidden(`pods "p" is forbidden: ${message}`);
const statusOf = (code: number, reason: string, message: string) =>
  JSON.stringify({ kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message, reason, code });

export const recordedAnswers: readonly RecordedAnswer[] = [
  { what: "yes", status: 200, body: { apiVersion, kind, status: { allowed: true } }, calls: 1, refused: null },
  { what: "yes-created", status: 201, body: { apiVersion, kind, status: { allowed: true } }, calls: 1, refused: null },
  {
    what: "no-and-why",
    status: 200,
    body: { apiVersion, kind, status: { allowed: false, reason: "no such luck" } },
    calls: 1,
    refused: forbiddenPod("image policy webhook backend denied one or more images: no such luck"),
  },
  {
    what: "no",
    status: 200,
    body: { apiVersion, kind, status: { allowed: false } },
    calls: 1,
    refused: forbiddenPod("one or more images rejected by webhook backend"),
  },
  { what: "no-kind", status: 200, body: { status: { allowed: true } }, calls: 1, refused: null },
  {
    what: "no-kind-and-no",
    status: 200,
    body: { status: { allowed: false, reason: "x" } },
    calls: 1,
    refused: forbiddenPod("image policy webhook backend denied one or more images: x"),
  },
  {
    what: "no-status",
    status: 200,
    body: { apiVersion, kind },
    calls: 1,
    refused: forbiddenPod("one or more images rejected by webhook backend"),
  },
  {
    what: "unknown-members",
    status: 200,
    body: { apiVersion, kind, more: 1, status: { allowed: true, x: 1 } },
    calls: 1,
    refused: null,
  },
  {
    what: "500",
    status: 500,
    body: "oops",
    calls: 5,
    refused: forbiddenPod('an error on the server ("unknown") has prevented the request from succeeding'),
  },
  {
    what: "502",
    status: 502,
    body: "oops",
    calls: 5,
    refused: forbiddenPod('an error on the server ("unknown") has prevented the request from succeeding'),
  },
  {
    what: "400-because-of-too-many",
    status: 400,
    body: statusOf(400, "TooManyRequests", "later"),
    calls: 5,
    refused: forbiddenPod("later"),
  },
  {
    what: "400-to-ask-again",
    status: 400,
    headers: { "retry-after": "1" },
    body: "",
    calls: 5,
    refused: forbiddenPod("the server rejected our request for an unknown reason"),
  },
  {
    what: "500-because-nothing-is-there",
    status: 500,
    body: statusOf(500, "NotFound", "none"),
    calls: 1,
    refused: forbiddenPod("none"),
  },
  {
    what: "500-as-refusal",
    status: 500,
    body: statusOf(409, "Forbidden", "mine"),
    calls: 1,
    refused: { code: 409, reason: "Forbidden", message: "mine" },
  },
  {
    what: "a-document-in-yaml",
    status: 200,
    body: `apiVersion: ${apiVersion}\nkind: ${kind}\nstatus: {allowed: true}\n`,
    calls: 1,
    refused: null,
  },
  {
    what: "a-built-in-kind",
    status: 200,
    body: { apiVersion: "apps/v1", kind: "Deployment", status: { allowed: true } },
    calls: 1,
    refused: forbiddenPod("converting (v1.Deployment) to (v1alpha1.ImageReview): unknown conversion"),
  },
  {
    what: "500-as-status",
    status: 500,
    body: statusOf(500, "InternalError", "boom"),
    calls: 5,
    refused: forbiddenPod("boom"),
  },
  {
    what: "404",
    status: 404,
    body: "nope",
    calls: 1,
    refused: forbiddenPod("the server could not find the requested resource"),
  },
  { what: "403", status: 403, body: "nope", calls: 1, refused: forbidden("unknown") },
  {
    what: "403-as-status",
    status: 403,
    body: statusOf(403, "Forbidden", "you may not"),
    calls: 1,
    refused: forbidden("you may not"),
  },
  {
    what: "401",
    status: 401,
    body: "",
    calls: 1,
    refused: forbiddenPod("the server has asked for the client to provide credentials"),
  },
  {
    what: "400",
    status: 400,
    body: "bad",
    calls: 1,
    refused: forbiddenPod("the server rejected our request for an unknown reason"),
  },
  {
    what: "503",
    status: 503,
    body: "no",
    calls: 1,
    refused: forbiddenPod("the server is currently unable to handle the request"),
  },
  {
    what: "nothing",
    status: 200,
    body: "",
    calls: 1,
    refused: forbiddenPod("0-length response with status code: 200 and content type: application/json"),
  },
  {
    what: "204",
    status: 204,
    body: "",
    calls: 1,
    refused: forbiddenPod("0-length response with status code: 204 and content type: application/json"),
  },
  {
    what: "a-page",
    status: 200,
    body: "<html>",
    calls: 1,
    refused: forbiddenPod(
      `couldn't get version/kind; json parse error: json: cannot unmarshal string into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
    ),
  },
  {
    what: "another-kind",
    status: 200,
    body: { apiVersion, kind: "Other", status: { allowed: true } },
    calls: 1,
    refused: forbiddenPod(
      'no kind "Other" is registered for version "imagepolicy.k8s.io/v1alpha1" in scheme "pkg/runtime/scheme.go:100"',
    ),
  },
  {
    what: "another-version",
    status: 200,
    body: { apiVersion: "imagepolicy.k8s.io/v2", kind, status: { allowed: true } },
    calls: 1,
    refused: forbiddenPod(
      'no kind "ImageReview" is registered for version "imagepolicy.k8s.io/v2" in scheme "pkg/runtime/scheme.go:100"',
    ),
  },
  {
    what: "a-word-for-yes",
    status: 200,
    body: { apiVersion, kind, status: { allowed: "yes" } },
    calls: 1,
    refused: forbiddenPod(
      "json: cannot unmarshal string into Go struct field ImageReviewStatus.status.allowed of type bool",
    ),
  },
  {
    what: "a-closed-connection",
    status: 0,
    body: "",
    calls: 1,
    refused: forbiddenPod('Post "https://127.0.0.1:23010/review?timeout=30s": EOF'),
  },
];
