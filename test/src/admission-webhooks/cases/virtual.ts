import { allow, type CaseRequest, type CaseWebhook, deny, type WebhookCase } from "../webhook-case.js";

const everything = { rules: [{ operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*/*"] }] };
const both: readonly CaseWebhook[] = [
  { type: "mutating", name: "m", hook: allow(), more: everything },
  { type: "validating", name: "v", hook: allow(), more: everything },
];
const denying: readonly CaseWebhook[] = [
  { type: "validating", name: "v", hook: deny({ message: "no", code: 403 }), more: everything },
];

const post = (path: string, body: unknown): CaseRequest => ({ method: "POST", path, body });

const requests = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
const signingRequest = [
  "-----BEGIN CERTIFICATE REQUEST-----",
  "MIHJMHECAQAwDzENMAsGA1UEAwwEY2FzZTBZMBMGByqGSM49AgEGCCqGSM49AwEH",
  "A0IABLS/p1SkczQ6hGkuT7hGJftS8Yixh/W3Mp3HmMTjiyO0suS+4jXYpYRHC58q",
  "wC52vUKd4J0/aXLrtIx/4OxyPXSgADAKBggqhkjOPQQDAgNIADBFAiEAgB6ITX6U",
  "pYL5Xo5QtI4eyoI0rHftL954opIPmvQw5K0CIAydyxqOtm6yLsth/tjezVWZKPQF",
  "OgbNYE/uFhZg1hHK",
  "-----END CERTIFICATE REQUEST-----",
  "",
].join("\n");
const createSigningRequest = post(requests, {
  apiVersion: "certificates.k8s.io/v1",
  kind: "CertificateSigningRequest",
  metadata: { name: "{ns}" },
  spec: {
    request: Buffer.from(signingRequest).toString("base64"),
    signerName: "example.com/signer",
    usages: ["client auth"],
  },
});
const deleteSigningRequest: CaseRequest = { method: "DELETE", path: `${requests}/{ns}` };
const approve: CaseRequest = {
  method: "PATCH",
  path: `${requests}/{ns}/approval`,
  contentType: "application/merge-patch+json",
  body: {
    status: { conditions: [{ type: "Approved", status: "True", reason: "Because", message: "it is a test" }] },
  },
};

const serviceAccounts = "/api/v1/namespaces/{ns}/serviceaccounts";
const createServiceAccount = post(serviceAccounts, {
  apiVersion: "v1",
  kind: "ServiceAccount",
  metadata: { name: "robot" },
});
const requestToken = post(`${serviceAccounts}/robot/token`, {
  apiVersion: "authentication.k8s.io/v1",
  kind: "TokenRequest",
  spec: { audiences: ["somebody"], expirationSeconds: 3600 },
});

const reviewSelfBy = (version: string): CaseRequest =>
  post(`/apis/authentication.k8s.io/${version}/selfsubjectreviews`, {
    apiVersion: `authentication.k8s.io/${version}`,
    kind: "SelfSubjectReview",
  });
const reviewSelf = reviewSelfBy("v1");

/** Rules for a review in its first version alone. */
const ofReviews = {
  rules: [
    { operations: ["*"], apiGroups: ["authentication.k8s.io"], apiVersions: ["v1"], resources: ["selfsubjectreviews"] },
  ],
};

/** Writes of what is not stored as it is written: subresources that decide, and reviews. */
export const virtualCases: readonly WebhookCase[] = [
  {
    name: "approval of a signing request",
    before: [createSigningRequest],
    webhooks: both,
    requests: [approve],
    after: [deleteSigningRequest],
  },
  {
    name: "approval of a signing request that is denied",
    before: [createSigningRequest],
    webhooks: denying,
    requests: [approve, { method: "GET", path: `${requests}/{ns}` }],
    after: [deleteSigningRequest],
  },
  { name: "token of a service account", before: [createServiceAccount], webhooks: both, requests: [requestToken] },
  {
    name: "token of a service account that is denied",
    before: [createServiceAccount],
    webhooks: denying,
    requests: [requestToken],
  },
  { name: "a review", webhooks: both, requests: [reviewSelf] },
  { name: "a review that is denied", webhooks: denying, requests: [reviewSelf] },
  {
    name: "a review in another version than the rules name",
    webhooks: [
      { type: "mutating", name: "m", hook: allow(), more: ofReviews },
      { type: "validating", name: "v", hook: allow(), more: ofReviews },
      {
        type: "validating",
        name: "e",
        hook: deny({ message: "called" }),
        more: { ...ofReviews, matchPolicy: "Exact" },
      },
    ],
    requests: [reviewSelfBy("v1beta1")],
  },
];
