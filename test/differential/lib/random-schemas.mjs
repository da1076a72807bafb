// Schemas of custom kinds drawn at random, most of them right, and values for them, most of them right, too.

const patterns = ["^[a-z]+$", "a|b", "^\\d{1,3}$", "(?i)^x", "^$"];
const formats = ["date", "date-time", "ipv4", "uuid", "byte", "int32", "duration", "hostname", "nothing"];
const names = ["a", "b", "name", "key", "list", "inner", "x-y"];

/** The schema of an object: `properties` of up to five members. */
export function objectSchema(r, depth = 0) {
  const properties = {};
  for (const name of r.some(names, 0.5)) properties[name] = schema(r, depth + 1);
  const known = Object.keys(properties);
  return {
    type: "object",
    ...(known.length > 0 ? { properties } : {}),
    ...(r.chance(0.25) && known.length > 0 ? { required: r.some(known, 0.4) } : {}),
    ...(r.chance(0.1) ? { "x-kubernetes-preserve-unknown-fields": true } : {}),
    ...(r.chance(0.1) ? { "x-kubernetes-map-type": r.pick(["atomic", "granular"]) } : {}),
    ...(r.chance(0.05) ? { maxProperties: r.int(3) } : {}),
    ...(r.chance(0.05) ? { minProperties: r.int(3) } : {}),
    ...combined(r, known),
  };
}

/** Rules that members of `known` have to keep together. */
function combined(r, known) {
  if (known.length === 0 || !r.chance(0.12)) return {};
  const branch = () =>
    r.chance(0.5) ? { required: [r.pick(known)] } : { properties: { [r.pick(known)]: valueRule(r) } };
  const word = r.pick(["allOf", "anyOf", "oneOf", "not"]);
  return { [word]: word === "not" ? branch() : [branch(), branch()] };
}

function valueRule(r) {
  return r.pick([
    { minimum: r.int(3) },
    { maxLength: 2 },
    { enum: ["a", 1] },
    { pattern: r.pick(patterns) },
    { nullable: true },
    { type: "string" },
  ]);
}

export function schema(r, depth) {
  const roll = r.next();
  const made =
    depth < 3 && roll < 0.2
      ? objectSchema(r, depth)
      : depth < 3 && roll < 0.4
        ? listSchema(r, depth)
        : depth < 3 && roll < 0.5
          ? mapSchema(r, depth)
          : scalarSchema(r);
  if (r.chance(0.12)) made.nullable = true;
  if (r.chance(0.12) && made.pattern === undefined && made.format === undefined && made.maxLength === undefined)
    made.default = r.chance(0.97) ? valueFor(r, made, 0) : r.pick(["d", 1, null, {}, []]);
  if (r.chance(0.1)) made.description = "what it is";
  return made;
}

function scalarSchema(r) {
  switch (r.int(6)) {
    case 0:
      return { type: "boolean" };
    case 1:
      return {
        type: "integer",
        ...(r.chance(0.4) && { minimum: r.int(3) }),
        ...(r.chance(0.3) && { maximum: 3 + r.int(9), exclusiveMaximum: r.chance(0.3) }),
        ...(r.chance(0.1) && { multipleOf: 2 }),
        ...(r.chance(0.2) && { format: r.pick(["int32", "int64"]) }),
      };
    case 2:
      return {
        type: "number",
        ...(r.chance(0.3) && { minimum: 0.5 }),
        ...(r.chance(0.2) && { format: r.pick(["float", "double"]) }),
      };
    case 3:
      return {
        "x-kubernetes-int-or-string": true,
        ...(r.chance(0.4) && { anyOf: [{ type: "integer" }, { type: "string" }] }),
        ...(r.chance(0.2) && { pattern: r.pick(patterns) }),
      };
    default:
      return {
        type: "string",
        ...(r.chance(0.2) && { enum: r.some(["a", "b", "", "xyz"], 0.7) }),
        ...(r.chance(0.2) && { pattern: r.pick(patterns) }),
        ...(r.chance(0.2) && { maxLength: r.int(4) }),
        ...(r.chance(0.1) && { minLength: r.int(3) }),
        ...(r.chance(0.2) && { format: r.pick(formats) }),
      };
  }
}

function listSchema(r, depth) {
  const bounds = {
    ...(r.chance(0.2) && { maxItems: r.int(4) }),
    ...(r.chance(0.1) && { minItems: r.int(2) }),
    ...(r.chance(0.02) && { uniqueItems: r.chance(0.5) }),
  };
  switch (r.int(4)) {
    case 0:
      return {
        type: "array",
        items: { type: r.pick(["string", "integer"]) },
        "x-kubernetes-list-type": r.pick(["set", "atomic"]),
        ...bounds,
      };
    case 1: {
      const key = r.pick(["name", "key"]);
      const items = objectSchema(r, depth + 1);
      items.properties = {
        ...items.properties,
        [key]: { type: r.pick(["string", "integer"]), ...(r.chance(0.2) && { default: r.pick(["k", 1]) }) },
      };
      if (r.chance(0.8)) items.required = [...new Set([...(items.required ?? []), key])];
      return { type: "array", items, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": [key], ...bounds };
    }
    default:
      return { type: "array", items: schema(r, depth + 1), ...bounds };
  }
}

function mapSchema(r, depth) {
  switch (r.int(4)) {
    case 0:
      return {
        type: "object",
        "x-kubernetes-preserve-unknown-fields": true,
        ...(r.chance(0.4) && { "x-kubernetes-embedded-resource": true }),
      };
    case 1:
      return { "x-kubernetes-preserve-unknown-fields": true };
    default:
      return { type: "object", additionalProperties: r.chance(0.1) ? true : schema(r, depth + 1) };
  }
}

/** A value that a schema may allow; `odd` is how often a part of it is something else. */
export function valueFor(r, of, odd = 0.03) {
  if (odd > 0 && r.chance(odd)) return r.pick([null, "odd", 7, 1.5, true, {}, [], { odd: 1 }, ["odd"]]);
  if (of?.nullable && r.chance(0.1)) return null;
  if (of?.default !== undefined && r.chance(0.1)) return of.default;
  if (Array.isArray(of?.enum) && of.enum.length > 0 && r.chance(0.9)) return r.pick(of.enum);
  if (of?.["x-kubernetes-embedded-resource"])
    return {
      apiVersion: "v1",
      kind: "Thing",
      metadata: { name: "n", ...(r.chance(0.2) && { labels: { a: "b" }, odd: 1 }) },
      spec: { x: r.int(3) },
    };
  if (of?.["x-kubernetes-int-or-string"]) return r.pick([1, 20, "1", "50%", "a"]);
  switch (of?.type) {
    case "boolean":
      return r.chance(0.5);
    case "integer":
      return r.pick([0, 1, 2, 4, 9, 12]);
    case "number":
      return r.pick([0, 0.5, 2, 2.25, 1e21]);
    case "string":
      return r.pick(["a", "b", "", "xyz", "abc", "12", "2020-01-01", "2020-01-01T00:00:00Z", "1.2.3.4", "YQ==", "1h"]);
    case "array":
      return Array.from({ length: r.int(4) }, () => valueFor(r, of.items, odd));
    case "object": {
      const made = {};
      for (const [name, member] of Object.entries(of.properties ?? {}))
        if (Array.isArray(of.required) && of.required.includes(name) ? r.chance(0.95) : r.chance(0.6))
          made[name] = valueFor(r, member, odd);
      if (of.additionalProperties)
        for (const name of r.some(["k", "l", "m"]))
          made[name] = valueFor(r, of.additionalProperties === true ? {} : of.additionalProperties, odd);
      if (odd > 0 && r.chance(0.1)) made.unheard = { of: [{ x: 1 }] };
      return made;
    }
    default:
      return r.pick(["free", 1, { a: { b: null } }, [1, "a"], false]);
  }
}
