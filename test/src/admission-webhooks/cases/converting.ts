import type { Hook } from "../hook-server.js";
import { allow, type CaseRequest, deny, patch, type WebhookCase } from "../webhook-case.js";

interface Site {
  readonly apiVersion: string;
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly [member: string]: unknown;
}

/** Converts objects: `host` of v1 is `hostname` in v2. */
const convert: Hook = ({ apiVersion, request }) => {
  const { uid, desiredAPIVersion, objects } = request as unknown as {
    readonly uid: string;
    readonly desiredAPIVersion: string;
    readonly objects: readonly Site[];
  };
  const member = desiredAPIVersion.endsWith("/v1") ? "host" : "hostname";
  const convertedObjects = objects.map((object) => {
    const { host, hostname, ...spec } = object.spec ?? {};
    return { ...object, apiVersion: desiredAPIVersion, spec: { ...spec, [member]: hostname ?? host } };
  });
  const response = { uid, result: { status: "Success" }, convertedObjects };
  return { json: { apiVersion, kind: "ConversionReview", response } };
};

const definition = (name: string, subresources = {}): CaseRequest => ({
  method: "POST",
  path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
  body: {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${name}s.example.com` },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: `${name}s`, singular: name, kind: `Kind${name}` },
      versions: [
        ["v1", "host"],
        ["v2", "hostname"],
      ].map(([version, member = ""]) => ({
        name: version,
        served: true,
        storage: version === "v1",
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: { type: "object", properties: { [member]: { type: "string" }, replicas: { type: "integer" } } },
              status: { type: "object", properties: { replicas: { type: "integer" } } },
            },
          },
        },
        subresources,
      })),
      conversion: {
        strategy: "Webhook",
        webhook: {
          conversionReviewVersions: ["v1"],
          clientConfig: { url: "{GOOD}/convert", caBundle: "{CA}" },
        },
      },
    },
  },
});

/** Webhooks that name v2 of a kind which a conversion webhook converts, and writes of v1. */
function converting(name: string, plural: string, type: "mutating" | "validating", hook: Hook): WebhookCase {
  const path = (version: string, rest = ""): string => `/apis/example.com/${version}/namespaces/{ns}/${plural}s${rest}`;
  const object = (host: string) => ({
    apiVersion: "example.com/v1",
    kind: `Kind${plural}`,
    metadata: { name: "a" },
    spec: { host },
  });
  return {
    name,
    before: [definition(plural), { method: "WAIT", path: path("v2") }],
    others: { "/convert": convert },
    webhooks: [
      {
        type,
        name: type[0] as string,
        hook,
        more: {
          rules: [{ operations: ["*"], apiGroups: ["example.com"], apiVersions: ["v2"], resources: ["*"] }],
          matchPolicy: "Equivalent",
        },
      },
    ],
    requests: [
      { method: "POST", path: path("v1"), body: object("one") },
      {
        method: "PATCH",
        path: path("v1", "/a"),
        contentType: "application/merge-patch+json",
        body: { spec: { host: "two" } },
      },
      { method: "GET", path: path("v1", "/a") },
      { method: "GET", path: path("v2", "/a") },
      { method: "DELETE", path: path("v1", "/a") },
    ],
    after: [
      {
        method: "DELETE",
        path: `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${plural}s.example.com`,
      },
    ],
  };
}

/** Returns the cases with conversion for subresources, and for other writes without a body of their own. */
function convertingSubresources(
  name: string,
  plural: string,
  type: "mutating" | "validating",
  hook: Hook,
): WebhookCase {
  const path = (version: string, rest = ""): string => `/apis/example.com/${version}/namespaces/{ns}/${plural}s${rest}`;
  const object = (version: string, spec: object) => ({
    apiVersion: `example.com/${version}`,
    kind: `Kind${plural}`,
    metadata: { name: "a" },
    spec: { replicas: 1, ...spec },
  });
  const patching = (rest: string, body: object, contentType = "application/merge-patch+json"): CaseRequest => ({
    method: "PATCH",
    path: rest,
    contentType,
    body,
  });
  const subresources = {
    status: {},
    scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
  };
  const rules = (version: string) => [
    { operations: ["*"], apiGroups: ["example.com"], apiVersions: [version], resources: ["*/*"] },
  ];
  return {
    name,
    before: [
      definition(plural, subresources),
      { method: "WAIT", path: path("v2") },
      { method: "POST", path: path("v1"), body: object("v1", { host: "one" }) },
    ],
    others: { "/convert": convert },
    webhooks: ["v2", "v1"].map((version) => ({
      type,
      name: `${type[0]}-${version}`,
      hook,
      more: { rules: rules(version), matchPolicy: version === "v2" ? "Equivalent" : "Exact" },
    })),
    requests: [
      patching(path("v1", "/a/scale"), { spec: { replicas: 3 } }),
      {
        method: "PUT",
        path: path("v2", "/a/scale"),
        body: {
          apiVersion: "autoscaling/v1",
          kind: "Scale",
          metadata: { name: "a", namespace: "{ns}" },
          spec: { replicas: 4 },
        },
      },
      patching(path("v1", "/a/status"), { status: { replicas: 2 } }),
      patching(path("v2", "/a/status?dryRun=All"), { status: { replicas: 5 } }),
      patching(
        `${path("v2", "/b")}?fieldManager=me`,
        { ...object("v2", { hostname: "b" }), metadata: { name: "b" } },
        "application/apply-patch+yaml",
      ),
      { method: "DELETE", path: `${path("v1")}?propagationPolicy=Background` },
    ],
    after: [
      { method: "DELETE", path: `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${plural}s.example.com` },
    ],
  };
}

/** `matchPolicy: Equivalent` where only a webhook knows how versions relate. */
export const convertingCases: readonly WebhookCase[] = [
  converting("equivalent version by a conversion webhook, validating", "convertedv", "validating", allow()),
  converting(
    "equivalent version by a conversion webhook, denied",
    "convertedd",
    "validating",
    deny({ message: "not in v2", code: 403 }),
  ),
  converting(
    "equivalent version by a conversion webhook, mutating",
    "convertedm",
    "mutating",
    patch([{ op: "replace", path: "/spec/hostname", value: "patched" }]),
  ),
  convertingSubresources(
    "subresources of a kind with a conversion webhook, validating",
    "convertedtv",
    "validating",
    allow(),
  ),
  convertingSubresources(
    "subresources of a kind with a conversion webhook, mutating",
    "convertedtm",
    "mutating",
    allow(),
  ),
  convertingSubresources(
    "subresources of a kind with a conversion webhook, denied",
    "convertedtd",
    "validating",
    deny({ message: "not so", code: 422, reason: "Invalid" }),
  ),
];
