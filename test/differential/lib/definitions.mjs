// Definitions to spoil: one with little, and some with a bit of everything.

const kind = "CustomResourceDefinition";
const apiVersion = "apiextensions.k8s.io/v1";

function definition(plural, singular, kindName, spec, annotations) {
  const { group = "differential.example.com", ...rest } = spec;
  return {
    apiVersion,
    kind,
    metadata: { name: `${plural}.${group}`, ...(annotations ? { annotations } : {}) },
    spec: { group, scope: "Namespaced", names: { plural, singular, kind: kindName }, ...rest },
  };
}

const version = (name, storage, properties, more = {}) => ({
  name,
  served: true,
  storage,
  schema: { openAPIV3Schema: { type: "object", properties } },
  ...more,
});

const cron = {
  type: "object",
  required: ["cron"],
  properties: { cron: { type: "string", pattern: "^\\S+$", default: "*" }, count: { type: "integer", minimum: 1 } },
};

export const definitions = [
  definition("crontabs", "crontab", "CronTab", { versions: [version("v1", true, { spec: cron })] }),
  definition("widgets", "widget", "Widget", {
    scope: "Cluster",
    versions: [
      version(
        "v1",
        true,
        {
          spec: { type: "object", properties: { size: { type: "integer" }, on: { type: "boolean" } } },
          status: { type: "object", properties: { replicas: { type: "integer" } } },
        },
        {
          subresources: {
            status: {},
            scale: { specReplicasPath: ".spec.size", statusReplicasPath: ".status.replicas" },
          },
          additionalPrinterColumns: [{ name: "Size", type: "integer", jsonPath: ".spec.size", priority: 1 }],
        },
      ),
      version("v1beta1", false, { spec: { type: "object", "x-kubernetes-preserve-unknown-fields": true } }),
    ],
  }),
  definition("things", "thing", "Thing", {
    versions: [
      version("v1alpha1", true, {
        spec: {
          type: "object",
          properties: {
            port: { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] },
            labels: { type: "object", additionalProperties: { type: "string", nullable: true } },
            template: {
              type: "object",
              "x-kubernetes-embedded-resource": true,
              "x-kubernetes-preserve-unknown-fields": true,
            },
            set: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } },
            map: {
              type: "array",
              "x-kubernetes-list-type": "map",
              "x-kubernetes-list-map-keys": ["name"],
              items: {
                type: "object",
                required: ["name"],
                properties: { name: { type: "string" }, value: { type: "number", default: 1.5 } },
              },
            },
            choice: {
              type: "object",
              properties: { a: { type: "string" }, b: { type: "string" } },
              oneOf: [{ required: ["a"] }, { required: ["b"] }],
            },
          },
        },
      }),
    ],
  }),
  definition(
    "approved",
    "approved1",
    "Approved",
    { group: "differential.k8s.io", versions: [version("v1", true, { spec: { type: "object" } })] },
    { "api-approved.kubernetes.io": "https://example.com/kep" },
  ),
];
