// What to put in the place of a value so that a rule may say no: more than one mistake of each sort that clients make,
// each as `[label, value]`. What goes wrong while a body is read is among it, since that has its order and words, too.

import { absent } from "./change.mjs";

const controlCharacter = String.fromCharCode(7);

const texts = [
  "", " ", "a ", " a", "a b", "A", "a_b", "-a", "a-", "a.b", ".a", "a..b", "a/b", "a/b/c", "/", "/a", "../a", "a/../b",
  "é", "😀", "a\nb", `a${controlCharacter}b`, "%41", "$(A)", "*", "*.a", "0", "1", "-1", "65536", "1.5", "1e3", "0x10", "true", "null",
  "1.2.3.4", "01.2.3.4", "1.2.3.4/8", "::1", "::ffff:1.2.3.4", "fe80::1%eth0", "http://a", "https://a:b", "a@b", "a=b", "a,b",
  "example.com/a", "kubernetes.io/a", "a".repeat(16), "a".repeat(64), "a".repeat(254), "a".repeat(1025), `${"a".repeat(64)}.b`,
].map((text) => [JSON.stringify(text).slice(0, 24) + (text.length > 20 ? ` (${text.length})` : ""), text]); // biome-ignore format: a list of texts

const quantities = [
  "", " 1", "+1", "-0", "-1", "1.", ".5", "0.5", "1e3", "1E", "1e100", "1Ki", "1ki", "1K", "1m", "1n", "0.1n", "1000000000000000000000",
  "1 Gi", "1,5", "0x1", "NaN", "1GiB",
].map((text) => [`quantity ${JSON.stringify(text)}`, text]); // biome-ignore format: a list of texts

const times = [
  "2020-01-01", "2020-01-01T00:00:00", "2020-01-01T00:00:00+01:00", "2020-02-30T00:00:00Z", "2020-01-01T00:00:00.5Z",
  "0001-01-01T00:00:00Z", "10000-01-01T00:00:00Z", "2020-01-01t00:00:00z",
].map((text) => [`time ${text}`, text]); // biome-ignore format: a list of texts

const numbers = [
  -2147483649, -2147483648, -1, 0, 1, 2, 3, 7, 64, 100, 101, 255, 300, 3600, 32768, 65535, 65536, 100001,
];
const hugeNumbers = [2147483647, 2147483648, 4294967296, 0.5];

/** `[[label, value]]` to put in the place of `value`. */
export function mistakesAt(value) {
  return [["absent", absent], ["null", null], ...mistakesOf(value)];
}

function mistakesOf(value) {
  switch (typeof value) {
    case "string":
      return ofText(value);
    case "number":
      return [
        ...[...numbers, ...hugeNumbers].map((number) => [`${number}`, number]),
        ["one more", value + 1],
        ["as text", String(value)],
        ["true", true],
        ["[]", []],
        ["{}", {}],
      ];
    case "boolean":
      return [["flipped", !value], ...["true", 1, "", [], {}].map((wrong) => [JSON.stringify(wrong), wrong])];
    default:
      return Array.isArray(value) ? ofList(value) : ofObject(value);
  }
}

function ofText(value) {
  const others = [7, true, ["a"], { a: "b" }].map((wrong) => [JSON.stringify(wrong), wrong]);
  const variants = [
    value.toLowerCase(),
    value.toUpperCase(),
    ` ${value}`,
    `${value} `,
    `${value}x`,
    value.slice(0, -1),
    `${value}${value}`,
  ];
  const changed = [...new Set(variants)]
    .filter((text) => text !== value)
    .map((text) => [`variant ${JSON.stringify(text).slice(0, 40)}`, text]);
  const isQuantity = /^\d+(\.\d+)?([KMGTPE]i?|[munk]|e\d+)?$/.test(value);
  const isTime = /^\d{4}-\d\d-\d\dT/.test(value);
  return [...texts, ...changed, ...(isQuantity ? quantities : []), ...(isTime ? times : []), ...others];
}

function ofList(value) {
  const first = value[0];
  const lists = [
    [],
    [null],
    [{}],
    [""],
    ["a", "a"],
    [[]],
    [7],
    [...value, ...value],
    [...value].reverse(),
    value.slice(0, -1),
  ];
  return [
    ...lists.map((list) => [`list ${JSON.stringify(list).slice(0, 40)}`, list]),
    ["a hundred times the first", Array(100).fill(first ?? "a")],
    ...["a", 7, true, {}].map((wrong) => [JSON.stringify(wrong), wrong]),
  ];
}

function ofObject(value) {
  const item = Object.values(value ?? {})[0];
  const like = item !== null && typeof item === "object" ? {} : (item ?? "v");
  const keys = [
    "",
    " ",
    "a b",
    "A",
    "a/b",
    "a/b/c",
    "é",
    ".",
    "..",
    "-a",
    "a".repeat(64),
    `${"a".repeat(254)}/b`,
    "example.com/a",
    "kubernetes.io/a",
  ];
  return [
    ["{}", {}],
    ...keys.map((key) => [`with the key ${JSON.stringify(key).slice(0, 20)}`, { ...value, [key]: like }]),
    ...["a", 7, true, []].map((wrong) => [JSON.stringify(wrong), wrong]),
  ];
}

/** Members that an object of this schema might have and `value` lacks, each with values of its type. */
export function* missingMembers(schema, value, schemas) {
  const { properties = {} } = resolve(schema, schemas);
  for (const [name, property] of Object.entries(properties)) {
    if (value[name] !== undefined) continue;
    for (const wrong of valuesOf(resolve(property, schemas), schemas)) yield [name, wrong];
  }
}

/** The schema of what stands at a step below another. */
export function schemaBelow(schema, key, schemas) {
  const { properties = {}, items, additionalProperties } = resolve(schema, schemas);
  return properties[key] ?? items ?? additionalProperties ?? {};
}

/** Returns the schema that a schema refers to, or the schema itself. */
export function resolve(schema, schemas) {
  const ref = referenceOf(schema);
  return ref === "" ? schema : (schemas[ref.split("/").at(-1)] ?? {});
}

/** Returns the reference of a schema; empty when it refers to no other. */
export function referenceOf(schema) {
  return schema.$ref ?? schema.allOf?.[0]?.$ref ?? "";
}

function valuesOf(schema, schemas) {
  const { type, format, items, properties, additionalProperties, oneOf } = schema;
  if (oneOf !== undefined || format === "int-or-string") return [0, -1, "a", "", "50%", "101%", 70000, "1"];
  if (type === "string") return format === "date-time" ? ["2020-01-01T00:00:00Z", ""] : ["", "a", "A b"];
  if (type === "integer" || type === "number") return [0, -1, 1, 2147483647];
  if (type === "boolean") return [true, false];
  if (type === "array")
    return [
      [],
      ...valuesOf(resolve(items, schemas), schemas)
        .slice(0, 3)
        .flatMap((item) => [[item], [item, item]]),
    ];
  if (additionalProperties !== undefined)
    return [
      {},
      ...valuesOf(resolve(additionalProperties, schemas), schemas)
        .slice(0, 2)
        .map((item) => ({ a: item, "B c": item })),
    ];
  if (properties === undefined) return [{}, { a: 1 }];
  const filled = Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) => {
      const [, second] = valuesOfPlain(resolve(property, schemas));
      return second === undefined ? [] : [[name, second]];
    }),
  );
  return [{}, filled];
}

function valuesOfPlain({ type, format, oneOf }) {
  if (oneOf !== undefined || format === "int-or-string") return [0, "a"];
  if (type === "string") return format === "date-time" ? ["", "2020-01-01T00:00:00Z"] : ["", "a"];
  if (type === "integer" || type === "number") return [0, 1];
  return type === "boolean" ? [false, true] : [];
}
