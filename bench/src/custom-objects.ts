import { benchNamespace } from "./config-maps.js";
import { type LoadRequest, numberDigits, numberMark } from "./load/load-request.js";

const bytes = 10 * 1024;
const group = "bench.example.com";

type Json = Record<string, unknown>;

/** Twenty groups of ten members, with the rules that schemas mostly have. */
function groupSchema(): Json {
  const text = { type: "string", maxLength: 253 };
  return {
    type: "object",
    required: ["name"],
    properties: {
      name: { ...text, pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$" },
      mode: { type: "string", enum: ["Always", "Never", "Sometimes"], default: "Always" },
      weight: { type: "integer", format: "int32", minimum: 0, maximum: 1000 },
      ratio: { type: "number" },
      enabled: { type: "boolean", default: true },
      port: { "x-kubernetes-int-or-string": true },
      labels: { type: "object", additionalProperties: text },
      hosts: { type: "array", items: text, maxItems: 64, "x-kubernetes-list-type": "set" },
      since: { type: "string", format: "date-time", nullable: true },
      rules: {
        type: "array",
        items: { type: "object", required: ["key"], properties: { key: text, value: text } },
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["key"],
      },
    },
  };
}

/** Rules of one group of members, of the sort that definitions have. */
const groupRules: readonly Json[] = [
  { rule: "self.weight <= 1000 && self.name.startsWith('group')", message: "weight and name do not fit" },
  { rule: "self.hosts.all(h, h.endsWith('.example.com'))" },
  { rule: "self.mode != 'Never' || !self.enabled", reason: "FieldValueForbidden", fieldPath: ".mode" },
];

/** The definition of the kind that is measured: 200 members below spec, in groups of which the first have three rules each. */
export function widgetDefinition(groupsWithRules = 0): Json {
  const withRules = (schema: Json): Json => ({ ...schema, "x-kubernetes-validations": groupRules });
  const properties = Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [
      `group${index}`,
      index < groupsWithRules ? withRules(groupSchema()) : groupSchema(),
    ]),
  );
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties } } } },
        },
      ],
    },
  };
}

/** Path of the custom objects. */
export const widgetsPath = `/apis/${group}/v1/namespaces/${benchNamespace}/widgets`;

/** The creation of an object of that kind, of 10 KB. */
export function widgetRequest(): LoadRequest {
  const groupOf = (index: number): Json => ({
    name: `group-${index}`,
    mode: "Sometimes",
    weight: index,
    ratio: 0.5,
    enabled: false,
    port: index % 2 === 0 ? 8080 : "http",
    labels: { app: "bench", tier: "backend" },
    hosts: ["a.example.com", "b.example.com", "c.example.com"],
    since: "2026-01-01T00:00:00Z",
    rules: Array.from({ length: 3 }, (_, rule) => ({ key: `rule-${rule}`, value: "x".repeat(40) })),
  });
  const spec = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`group${index}`, groupOf(index)]));
  const body = (filling: string): Json => ({
    apiVersion: `${group}/v1`,
    kind: "Widget",
    metadata: { name: `widget-${numberMark}`, namespace: benchNamespace, annotations: { filling } },
    spec,
  });
  return request(widgetsPath, body);
}

/** Filled up to the size that it is to have. */
function request(path: string, body: (filling: string) => Json): LoadRequest {
  const length = (text: string): number => text.replaceAll(numberMark, "0".repeat(numberDigits)).length;
  const missing = bytes - length(JSON.stringify(body("")));
  return { method: "POST", path, body: JSON.stringify(body("x".repeat(Math.max(0, missing)))) };
}
