// Values that fit a schema and that nobody would send: empty, long, negative, huge, repeated, from another field.

import { referenceOf, resolve, schemaBelow } from "./spoil.mjs";

const texts = [
  "", " ", "a", "x".repeat(64), "y".repeat(254), "z".repeat(1100), "é漢😀", "A_b.C", "a b", "-1", "0", "1", "50%", "a/b", "example.com/a",
  "/abs/path", "../up", "a\tb\u0007", "TCP", "tcp", "10.0.0.1", "::1", "10.0.0.0/8", "2020-01-01T00:00:00Z", "Always", "Never", "In",
  "Exists", "*", "Equal", "NoSchedule", "Terminating", "cpu", "requests.cpu", "9223372036854775808", "0x1F", "True", "None", "<b>&",
  "http://x/y?z", "metadata.name", "kubernetes.io/hostname", "Local", "Cluster", "IPv4", "Delete", "Block", "ReadWriteOnce",
]; // biome-ignore format: a list of texts
const names = [
  "a",
  "b",
  "cpu",
  "memory",
  "",
  "A b",
  "example.com/x",
  "x".repeat(70),
  "storage",
  "pods",
  "é",
  "limits.cpu",
];
const numbers = [0, -1, 1, 2, 7, 64, 101, 256, 600, 3601, 65535, 65536, 2147483647, -2147483648];
const longNumbers = [...numbers, 2147483648, -2147483649, Number.MAX_SAFE_INTEGER];
const quantities = [
  "0",
  "-1",
  "1",
  "1m",
  "1e30",
  "100Ei",
  "1n",
  "1500m",
  "9223372036854775807",
  "-0.001",
  "1Ki",
  "10E",
  "1k",
];
const either = [0, -1, 1, "a", "", "50%", "101%", 70000, "1", "-5%", "http", "100%", 2147483647];
const times = ["2020-01-01T00:00:00Z", "2031-01-01T01:00:00+01:00", "1960-01-01T00:00:00Z"];

/** A value of the schema's type. */
export function oddValue(schema, schemas, random, depth = 0) {
  const found = resolve(schema, schemas);
  const { type, format, items, properties, additionalProperties, oneOf } = found;
  if (referenceOf(schema).endsWith(".Quantity")) return random.pick(quantities);
  if (oneOf !== undefined || format === "int-or-string") return random.pick(either);
  if (found.enum !== undefined && random.chance(0.5)) return random.pick(found.enum);
  if (type === "string") return textOf(format, random);
  if (type === "integer" || type === "number") return random.pick(format === "int64" ? longNumbers : numbers);
  if (type === "boolean") return random.chance(0.5);
  if (type === "array") return listOf(items ?? {}, schemas, random, depth);
  if (properties !== undefined) return objectOf(found, schemas, random, depth);
  if (additionalProperties === undefined) return random.pick([{}, { a: 1 }, { a: { b: [1, "x"] } }]);
  const keys = Array.from({ length: random.int(3) }, () => random.pick(names));
  return Object.fromEntries(keys.map((key) => [key, oddValue(additionalProperties, schemas, random, depth + 1)]));
}

function textOf(format, random) {
  if (format === "date-time") return random.pick(times);
  return random.pick(format === "byte" ? ["", "YQ==", "LS0tLS0="] : texts);
}

/** Some with the first item once more, some with an empty one. */
function listOf(items, schemas, random, depth) {
  if (depth > 3) return [];
  const list = Array.from({ length: random.int(4) }, () => oddValue(items, schemas, random, depth + 1));
  if (list.length > 0 && random.chance(0.4)) list.push(structuredClone(list[0]));
  if (random.chance(0.1) && resolve(items, schemas).properties !== undefined) list.push({});
  return list;
}

function objectOf({ properties, required = [] }, schemas, random, depth) {
  if (depth > 4 || random.chance(0.15)) return {};
  const known = Object.keys(properties).filter((name) => !leftAlone.has(name));
  const chosen = known.filter((name) =>
    random.chance(required.includes(name) ? 0.85 : Math.min(0.6, 2 / known.length)),
  );
  return Object.fromEntries(chosen.map((name) => [name, oddValue(properties[name], schemas, random, depth + 1)]));
}

const leftAlone = new Set(["managedFields", "uid", "resourceVersion", "deletionTimestamp", "generateName"]);
const identity = new Set([...leftAlone, "name", "namespace", "selfLink", "creationTimestamp"]);

/**
 * Returns the places where an object has a value, and where its structs could have one more: `[{ path, schema, parent
 * }]`.
 */
export function placesIn(object, schema, schemas, path = []) {
  const isStruct = !Array.isArray(object) && resolve(schema, schemas).properties !== undefined;
  const keys = isStruct ? Object.keys(resolve(schema, schemas).properties) : Object.keys(object);
  const skipped = path.length === 0 ? new Set(["apiVersion", "kind"]) : path[0] === "metadata" ? identity : new Set();
  return keys
    .filter((key) => !skipped.has(key))
    .flatMap((key) => {
      const place = { path: [...path, key], schema: schemaBelow(schema, key, schemas), parent: path.join(".") };
      const value = object[key];
      const isHolder = value !== null && typeof value === "object";
      return [place, ...(isHolder ? placesIn(value, place.schema, schemas, place.path) : [])];
    });
}
