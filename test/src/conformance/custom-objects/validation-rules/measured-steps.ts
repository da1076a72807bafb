import assert from "node:assert/strict";
import type { ControlPlane } from "@gatehouse/testing";

/** The path of definitions of custom resources. */
export const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** The counts that the metrics of a server tell. */
export interface Counts {
  readonly compilations: number;
  readonly evaluations: number;
  readonly updates: number;
}

/** Returns the present counts of a server. */
export async function countsOf({ client }: ControlPlane): Promise<Counts> {
  const signal = new AbortController().signal;
  const { body } = await client.request({ method: "GET", path: "/metrics", headers: {}, signal, timeoutMs: 30_000 });
  const text = body.toString();
  const count = (name: string): number => {
    const [, found] = new RegExp(`^${name}_count (\\d+)$`, "m").exec(text) ?? [];
    assert.ok(found !== undefined, `there is no ${name}`);
    return Number(found);
  };
  return {
    compilations: count("apiserver_cel_compilation_duration_seconds"),
    evaluations: count("apiserver_cel_evaluation_duration_seconds"),
    updates: count("apiextensions_apiserver_validation_ratcheting_seconds"),
  };
}

/** Request for the objects of a path. */
export function list(path: string): { readonly method: string; readonly path: string } {
  return { method: "GET", path };
}

const text = { type: "string", maxLength: 10 };
const ruled = { ...text, "x-kubernetes-validations": [{ rule: "self != 'bad'" }] };
const group = "measured.example";

function definition(plural: string, kind: string, openAPIV3Schema: object): object {
  const versions = [
    { name: "v1", served: true, storage: true, subresources: { status: {} }, schema: { openAPIV3Schema } },
  ];
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: { group, scope: "Cluster", names: { plural, kind }, versions },
  };
}

const parts = {
  type: "object",
  "x-kubernetes-validations": [{ rule: "has(self.spec)" }],
  properties: {
    spec: {
      type: "object",
      properties: {
        a: { ...text, "x-kubernetes-validations": [{ rule: "self != 'bad'" }, { rule: "self != 'worse'" }] },
        n: { ...ruled, nullable: true },
        list: { type: "array", maxItems: 5, items: { type: "object", properties: { x: ruled, y: text } } },
        map: { type: "object", maxProperties: 4, additionalProperties: ruled },
        plain: text,
      },
    },
    status: { type: "object", properties: { s: text } },
  },
};
const plain = { type: "object", properties: { spec: { type: "object", properties: { a: text } } } };
const withDefaults = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      default: {},
      "x-kubernetes-validations": [{ rule: "true" }],
      properties: { a: { ...ruled, default: "x" } },
    },
  },
};

const thing = (kind: string, spec?: object): object => ({
  apiVersion: `${group}/v1`,
  kind,
  metadata: { name: "o" },
  ...(spec === undefined ? {} : { spec }),
});
const things = `/apis/${group}/v1/things`;
const post = (path: string, body: object) => ({ method: "POST", path, body });
const patch = (path: string, body: object) => ({
  method: "PATCH",
  path,
  body,
  type: "application/merge-patch+json",
});

/**
 * Requests with the code of the answer and the numbers by which v1.29's metrics grew, with the feature gate
 * CRDValidationRatcheting.
 */
export const measuredSteps = [
  { ...post(definitions, definition("things", "Thing", parts)), code: 201, evaluations: 0, updates: 0 },
  {
    ...post(
      things,
      thing("Thing", {
        a: "1",
        n: null,
        list: [{ x: "1", y: "2" }, { y: "1" }],
        map: { q: "1", r: "2" },
        plain: "x",
      }),
    ),
    code: 201,
    evaluations: 11,
    updates: 0,
  },
  { ...patch(`${things}/o`, { spec: { plain: "y" } }), code: 200, evaluations: 11, updates: 1 },
  { ...patch(`${things}/o`, { spec: { plain: "y" } }), code: 200, evaluations: 11, updates: 1 },
  { ...patch(`${things}/o/status`, { status: { s: "y" } }), code: 200, evaluations: 11, updates: 0 },
  { ...patch(`${things}/o`, { spec: { a: "bad" } }), code: 422, evaluations: 11, updates: 1 },
  { ...patch(`${things}/o`, { spec: { plain: 5 } }), code: 422, evaluations: 0, updates: 1 },
  { ...post(definitions, definition("plains", "Plain", plain)), code: 201, evaluations: 0, updates: 0 },
  { ...post(`/apis/${group}/v1/plains`, thing("Plain", { a: "1" })), code: 201, evaluations: 0, updates: 0 },
  { ...patch(`/apis/${group}/v1/plains/o`, { spec: { a: "2" } }), code: 200, evaluations: 0, updates: 1 },
  { ...post(definitions, definition("defaults", "Default", withDefaults)), code: 201, evaluations: 4, updates: 0 },
  { ...post(`/apis/${group}/v1/defaults`, thing("Default")), code: 201, evaluations: 3, updates: 0 },
] as const;
