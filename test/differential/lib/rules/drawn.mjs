// Definitions of custom kinds drawn at random, with rules at all places of their schemas, and values for them.
import { Grammar } from "../expressions/grammar.mjs";

const names = ["a", "b", "size", "x-y", "namespace", "a.b", "in", "list", "parts", "when"];
const reasons = ["FieldValueInvalid", "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate"];
const texts = ["a", "b", "abc", "prod", "x-y", "", "10", "Kubernetes"];

/** Returns a schema of an object; `bounds`: the probability that lists, maps and texts have a largest size. */
export function drawSchema(r, { bounds, odd }, depth = 0) {
  const properties = {};
  for (const name of r.some(names, depth === 0 ? 0.7 : 0.4))
    properties[name] = drawMember(r, { bounds, odd }, depth + 1);
  const known = Object.keys(properties);
  return ruled(r, odd, depth === 0 ? 0.9 : 0.3, {
    type: "object",
    ...(known.length > 0 && { properties }),
    ...(known.length > 0 && r.chance(0.3) && { required: r.some(known, 0.3) }),
    ...(r.chance(0.05) && { "x-kubernetes-map-type": "atomic" }),
  });
}

function drawMember(r, options, depth) {
  const { bounds, odd } = options;
  const bounded = (key, most) => (r.chance(bounds) ? { [key]: 1 + r.int(most) + 3 } : {});
  const text = () => ({ type: "string", ...bounded("maxLength", 10) });
  const choices = [
    text,
    text,
    () => ({ type: "string", enum: ["a", "b", "prod"] }),
    () => ({ type: "integer", ...(r.chance(0.2) && { minimum: 1 }), ...(r.chance(0.2) && { format: "int32" }) }),
    () => ({ type: "integer" }),
    () => ({ type: "number" }),
    () => ({ type: "boolean" }),
    () => ({ "x-kubernetes-int-or-string": true }),
    () => ({ type: "string", format: r.pick(["date-time", "date", "duration", "byte"]), ...bounded("maxLength", 30) }),
    () => ({
      type: "array",
      items: text(),
      ...bounded("maxItems", 5),
      ...(r.chance(0.5) && { "x-kubernetes-list-type": r.pick(["set", "atomic"]) }),
    }),
    () => ({ type: "array", items: { type: "integer" }, ...bounded("maxItems", 5) }),
    () => ({ type: "object", additionalProperties: text(), ...bounded("maxProperties", 5) }),
    () => ({ type: "object", additionalProperties: { type: "integer" }, ...bounded("maxProperties", 5) }),
    () => ({ "x-kubernetes-preserve-unknown-fields": true }),
    () => ({ type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true }),
    ...(depth < 2
      ? [
          () => drawSchema(r, options, depth),
          () => drawSchema(r, options, depth),
          () => keyedList(r, options, depth, bounded("maxItems", 5)),
          () => keyedList(r, options, depth, bounded("maxItems", 5)),
          () => ({ type: "array", items: drawSchema(r, options, depth + 1), ...bounded("maxItems", 4) }),
          () => ({
            type: "object",
            additionalProperties: drawSchema(r, options, depth + 1),
            ...bounded("maxProperties", 4),
          }),
        ]
      : []),
  ];
  const made = r.pick(choices)();
  if (r.chance(0.08)) made.nullable = true;
  if (r.chance(0.05) && made.type === "string" && made.format === undefined && made.enum === undefined)
    made.default = "a";
  const hasType = made.type !== undefined || made["x-kubernetes-int-or-string"];
  return hasType && made["x-kubernetes-validations"] === undefined ? ruled(r, odd, 0.25, made) : made;
}

function keyedList(r, options, depth, bounds) {
  const items = drawSchema(r, options, depth + 1);
  items.properties = { ...items.properties, name: { type: "string", maxLength: 8 }, count: { type: "integer" } };
  items.required = [...new Set([...(items.required ?? []), "name"])];
  return { type: "array", items, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"], ...bounds };
}

function ruled(r, odd, probability, schema) {
  if (!r.chance(probability)) return schema;
  const scope = { ...scopeOf(schema, "self"), bounded: r.chance(0.9) };
  const rules = Array.from({ length: 1 + r.int(2) }, () => {
    const changes = r.chance(0.25);
    const known = changes ? joined(scope, scopeOf(schema, "oldSelf")) : scope;
    return {
      rule:
        changes && r.chance(0.4)
          ? `self ${r.pick(["==", "!="])} oldSelf`
          : mostlyTrue(r, () => new Grammar(r, known, odd, r.pick([1, 2, 2, 3])).of("bool")),
      ...(r.chance(0.3) && { message: r.pick(["no", 'with "quotes"', "it is <wrong>"]) }),
      ...(r.chance(0.4) && { messageExpression: new Grammar(r, known, odd, 1).of("string") }),
      ...(r.chance(0.3) && { reason: r.pick(reasons) }),
      ...(r.chance(0.25) && schema.properties && { fieldPath: fieldPath(r, schema) }),
    };
  });
  return { ...schema, "x-kubernetes-validations": rules };
}

/** Returns one of three expressions that `draw` draws, or several, of which one is enough: most objects are to be right. */
const mostlyTrue = (r, draw) => Array.from({ length: 1 + r.int(3) }, draw).join(" || ");

function fieldPath(r, { properties }) {
  const name = r.pick(Object.keys(properties));
  return /^[a-z]+$/.test(name) && r.chance(0.8) ? `.${name}` : `['${name}']`;
}

const joined = (a, b) =>
  Object.fromEntries(
    [...new Set([...Object.keys(a), ...Object.keys(b)])].map((key) => [
      key,
      key === "bounded" ? a[key] : [...(a[key] ?? []), ...(b[key] ?? [])],
    ]),
  );

const keywords = new Set(["namespace", "in"]);
const escaped = (name) =>
  keywords.has(name)
    ? `__${name}__`
    : name.replaceAll("-", "__dash__").replaceAll(".", "__dot__").replaceAll("/", "__slash__");

/** Returns the names that an expression may use for parts of a value at `path` that has the schema. */
function scopeOf(schema, path, depth = 0) {
  const scope = {};
  const add = (key, item) => {
    scope[key] = [...(scope[key] ?? []), item];
  };
  const take = (other) => {
    for (const [key, items] of Object.entries(other)) for (const item of items) add(key, item);
  };
  if (path !== "") add("any", path);
  switch (schema.type) {
    case "boolean":
      add("bool", path);
      break;
    case "integer":
      add("int", path);
      break;
    case "number":
      add("double", path);
      break;
    case "string":
      add(["date-time", "date", "duration", "byte"].includes(schema.format) ? "any" : "string", path);
      break;
    case "array":
      if (schema.items.type === "string") add("texts", path);
      else if (schema.items.type === "integer") add("ints", path);
      else if (depth < 3) add("lists", { of: path, item: scopeOf(schema.items, "", depth + 1) });
      add("int", `${path}.size()`);
      break;
    case "object":
      if (schema.additionalProperties?.type === "string") add("map", path);
      if (depth < 3)
        for (const [name, member] of Object.entries(schema.properties ?? {})) {
          add("members", `${path}.${escaped(name)}`);
          take(scopeOf(member, `${path}.${escaped(name)}`, depth + 1));
        }
      if (schema["x-kubernetes-embedded-resource"])
        for (const name of ["kind", "metadata.name"]) add("string", `${path}.${name}`);
      break;
    default:
      break;
  }
  return scope;
}

/** A value that the schema may allow. */
export function drawValue(r, schema) {
  if (schema.nullable && r.chance(0.15)) return null;
  if (schema.enum) return r.pick(schema.enum);
  if (schema["x-kubernetes-int-or-string"]) return r.pick([1, 20, "a", "50%"]);
  if (schema["x-kubernetes-embedded-resource"])
    return {
      apiVersion: "v1",
      kind: r.pick(["Thing", "Pod"]),
      metadata: { name: r.pick(["a", "prod"]) },
      spec: { x: 1 },
    };
  switch (schema.type) {
    case "boolean":
      return r.chance(0.5);
    case "integer":
      return r.pick([0, 1, 2, 3, 10, 100]);
    case "number":
      return r.pick([0, 0.5, 1, 2.25, 100]);
    case "string":
      return textFor(r, schema);
    case "array": {
      const items = Array.from({ length: r.int(4) }, () => drawValue(r, schema.items));
      return schema["x-kubernetes-list-type"] === undefined || schema["x-kubernetes-list-type"] === "atomic"
        ? items
        : distinct(items);
    }
    case "object":
      return drawObject(r, schema);
    default:
      return r.pick([1, "a", { a: 1 }, [1, "a"], 1.5]);
  }
}

const distinct = (items) => {
  const seen = new Set();
  return items.filter((item) => {
    const key = item?.name ?? JSON.stringify(item);
    return !seen.has(key) && seen.add(key);
  });
};

function textFor(r, { format, maxLength = 100 }) {
  switch (format) {
    case "date-time":
      return r.pick(["2020-01-01T00:00:00Z", "2024-02-29T12:00:00.5Z"]);
    case "date":
      return r.pick(["2020-01-01", "2024-02-29"]);
    case "duration":
      return r.pick(["1h30m", "90s", "5ms"]);
    case "byte":
      return r.pick(["YWJj", "YQ=="]);
    default:
      return r.pick(texts).slice(0, maxLength);
  }
}

function drawObject(r, { properties = {}, required = [], additionalProperties }) {
  const made = {};
  for (const [name, member] of Object.entries(properties))
    if (required.includes(name) || r.chance(0.75)) made[name] = drawValue(r, member);
  if (additionalProperties)
    for (const key of r.some(["a", "b", "prod"], 0.5)) made[key] = drawValue(r, additionalProperties);
  return made;
}
