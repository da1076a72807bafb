import { readFileSync } from "node:fs";
import type { JsonObject, JsonValue } from "@gatehouse/envelopes/json";
import { changeSomewhere } from "./bodies.js";
import { oddKey, oddValue } from "./odd-values.js";
import type { Random } from "./random.js";

/** A request about a custom kind. */
export interface CustomRequest {
  readonly method: string;
  /** Below the collection of the kind: empty, or a name with a slash before it. */
  readonly path: string;
  readonly type: string;
  readonly body: JsonValue;
}

// A kind with a member of spec for every construct that a schema may have. Data lies beside the source.
const definitionFile = new URL("../../src/conformance/custom-objects/definition.json", import.meta.url);
const sample = JSON.parse(readFileSync(definitionFile, "utf8")) as JsonObject;

/** The sample definition in a group of its own, its schema or all of its spec changed in some places. */
export function oddDefinition(random: Random, group: string): JsonObject {
  const definition = structuredClone(sample);
  const spec = definition["spec"] as JsonObject;
  const [version] = spec["versions"] as JsonObject[];
  const changed = random.chance(0.85) ? ((version as JsonObject)["schema"] as JsonObject) : spec;
  // What it says of its group and names stays, for else nothing else would be looked at.
  for (let changes = random.below(4); changes > 0; changes--) {
    changeSchema(random, changed);
  }
  definition["metadata"] = { name: `things.${group}` };
  spec["group"] = group;
  return definition;
}

/** Adds to a schema a common construct, or an odd one. */
function changeSchema(random: Random, place: JsonObject): void {
  if (random.chance(0.4)) {
    changeSomewhere(random, place);
    return;
  }
  const [keyword, values] = random.pick(keywords);
  const nodes = [...schemasIn(place)];
  if (nodes.length > 0) {
    random.pick(nodes)[keyword] = random.chance(0.8) ? structuredClone(random.pick(values)) : oddValue(random);
  }
}

const keywords: readonly (readonly [string, readonly JsonValue[]])[] = [
  ["type", ["object", "array", "string", "integer", "number", "boolean"]],
  ["pattern", ["^(a+)+$", "(?<=a)b", "[", "\\p{L}+", "a{1001}", "(a|a)*b"]],
  ["format", ["date-time", "int32", "byte", "ipv6", "password", "duration", "bsonobjectid"]],
  ["default", [{}, [], "", 0, null, { a: [{}] }, "9999-99-99"]],
  ["enum", [[], [null], ["a", "a"], [{}, []]]],
  ["required", [[], ["absent"], ["__proto__"], ["spec", "spec"]]],
  ["multipleOf", [0, -1, 0.1, 1e-300]],
  ["x-kubernetes-list-type", ["set", "map", "atomic"]],
  ["x-kubernetes-list-map-keys", [["k"], [], ["absent", "absent"]]],
  ["x-kubernetes-preserve-unknown-fields", [true, false]],
  ["x-kubernetes-int-or-string", [true]],
  ["x-kubernetes-embedded-resource", [true]],
  ["nullable", [true, false]],
  ["additionalProperties", [true, false, {}, { type: "string" }]],
  ["anyOf", [[], [{}], [{ type: "integer" }, { type: "string" }], [{ required: ["a"] }, { properties: { a: {} } }]]],
  ["not", [{}, { required: ["a"] }, { not: { not: {} } }]],
  ["properties", [{ __proto__x: { type: "string" } }, { constructor: { type: "object" } }, { metadata: {} }]],
];

function* schemasIn(node: JsonValue): Generator<JsonObject> {
  if (Array.isArray(node)) {
    for (const item of node) {
      yield* schemasIn(item);
    }
  } else if (typeof node === "object" && node !== null) {
    if (typeof node["type"] === "string") {
      yield node;
    }
    for (const inner of Object.values(node)) {
      yield* schemasIn(inner ?? null);
    }
  }
}

/** A write of an instance, right or wrong. */
export function oddInstanceRequest(random: Random, definition: JsonObject): CustomRequest {
  const name = random.pick(["a", "b"]);
  const object = oddInstance(random, definition, name);
  const spec = object["spec"] as JsonValue;
  return random.weighted<CustomRequest>([
    [4, () => ({ method: "POST", path: "", type: "application/json", body: object })],
    [2, () => ({ method: "PUT", path: `/${name}`, type: "application/json", body: object })],
    [
      4,
      () => ({
        method: "PATCH",
        path: `/${name}?fieldManager=m&force=true`,
        type: "application/apply-patch+yaml",
        body: object,
      }),
    ],
    [3, () => ({ method: "PATCH", path: `/${name}`, type: "application/merge-patch+json", body: { spec } })],
    [2, () => ({ method: "PATCH", path: `/${name}`, type: "application/json-patch+json", body: pointerPatch(random) })],
    [
      1,
      () => ({
        method: "PATCH",
        path: `/${name}/status`,
        type: "application/merge-patch+json",
        body: { status: spec },
      }),
    ],
    [
      1,
      () => ({
        method: "PATCH",
        path: `/${name}/scale`,
        type: "application/merge-patch+json",
        body: { spec: { replicas: oddValue(random) } },
      }),
    ],
    [1, () => ({ method: "DELETE", path: `/${name}`, type: "application/json", body: {} })],
  ]);
}

function oddInstance(random: Random, definition: JsonObject, name: string): JsonObject {
  const { group, versions } = definition["spec"] as { group: string; versions: JsonValue };
  const members = [...new Set([...memberNames(versions), oddKey(random)])];
  const spec: JsonObject = {};
  for (let count = random.below(8); count > 0; count--) {
    Object.defineProperty(spec, random.pick(members), {
      value: someValue(random),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return {
    apiVersion: `${group}/v1`,
    kind: "Thing",
    metadata: { name },
    spec: random.chance(0.95) ? spec : oddValue(random),
  };
}

const likely: readonly JsonValue[] = [
  null,
  "",
  "a",
  1,
  1.5,
  true,
  {},
  [],
  ["a", "a"],
  [{ k: "1" }, { k: "1" }],
  { a: { b: null } },
];

function someValue(random: Random): JsonValue {
  return random.chance(0.6) ? structuredClone(random.pick(likely)) : oddValue(random);
}

function* memberNames(node: JsonValue): Generator<string> {
  for (const schema of schemasIn(node)) {
    const { properties } = schema;
    if (typeof properties === "object" && properties !== null && !Array.isArray(properties)) {
      yield* Object.keys(properties);
    }
  }
}

function pointerPatch(random: Random): JsonValue {
  const path = random.pick([
    "/spec",
    "/spec/text",
    "/metadata/labels",
    "/metadata/generation",
    "/status",
    "/apiVersion",
    "/spec/-",
  ]);
  return [{ op: random.pick(["add", "replace", "remove", "test"]), path, value: someValue(random) }];
}
