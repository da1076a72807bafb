// Definitions whose schemas hold every construct that a structural schema may, and values to try on each of them.
export const group = "cr.example.com";

const string = (more) => ({ type: "string", ...more });
const integer = (more) => ({ type: "integer", ...more });
const number = (more) => ({ type: "number", ...more });
const list = (items, more) => ({ type: "array", items, ...more });
const object = (properties, more) => ({ type: "object", properties, ...more });
const map = (additionalProperties, more) => ({ type: "object", additionalProperties, ...more });
const preserve = { "x-kubernetes-preserve-unknown-fields": true };
const embedded = { "x-kubernetes-embedded-resource": true };
const intOrString = { "x-kubernetes-int-or-string": true };

const formats = ["bsonobjectid", "uri", "email", "hostname", "ipv4", "ipv6", "cidr", "mac", "uuid", "uuid3", "uuid4", "uuid5", "isbn", "isbn10", "isbn13", "creditcard", "ssn", "hexcolor", "rgbcolor", "byte", "password", "date", "duration", "date-time", "int32", "int64", "unknown"];

/** By name of the member of spec that has it. */
export const constructs = {
  anything: preserve,
  text: string(),
  textMax: string({ maxLength: 3 }),
  textMin: string({ minLength: 2 }),
  textPattern: string({ pattern: "^[a-z]+$" }),
  textLoose: string({ pattern: "b" }),
  textUnicode: string({ pattern: "^\\p{Greek}+$" }),
  textPosix: string({ pattern: "^[[:alpha:]]{2,4}$" }),
  textFlags: string({ pattern: "(?i)^abc$" }),
  textAll: string({ minLength: 2, maxLength: 3, pattern: "^a" }),
  textEnum: string({ enum: ["a", "abc", "x y", ""] }),
  textNullable: string({ nullable: true }),
  textEnumNullable: string({ nullable: true, enum: ["a", null] }),
  flag: { type: "boolean" },
  flagEnum: { type: "boolean", enum: [true] },
  whole: integer(),
  wholeMin: integer({ minimum: 1 }),
  wholeMax: integer({ maximum: 2 }),
  wholeOpen: integer({ minimum: 0, maximum: 3, exclusiveMinimum: true, exclusiveMaximum: true }),
  wholeFraction: integer({ maximum: 2.5 }),
  wholeMultiple: integer({ multipleOf: 3 }),
  wholeOddMultiple: integer({ multipleOf: 2.5 }),
  wholeEnum: integer({ enum: [1, 2, 1000] }),
  whole32: integer({ format: "int32" }),
  whole64: integer({ format: "int64", minimum: -9007199254740993, maximum: 9007199254740993 }),
  any: number(),
  anyMin: number({ minimum: 1.5 }),
  anyMax: number({ maximum: 1000000, exclusiveMaximum: true }),
  anyMultiple: number({ multipleOf: 0.5 }),
  anyEnum: number({ enum: [1, 1.5] }),
  anyDouble: number({ format: "double" }),
  either: intOrString,
  eitherAnyOf: { anyOf: [{ type: "integer" }, { type: "string" }], ...intOrString },
  eitherPattern: { pattern: "^[0-9]+%?$", ...intOrString },
  eitherMax: { maximum: 10, maxLength: 2, ...intOrString },
  texts: list(string()),
  textsMax: list(string(), { maxItems: 1 }),
  textsMin: list(string(), { minItems: 1 }),
  textsShort: list(string({ maxLength: 1 })),
  textsSet: list(string(), { "x-kubernetes-list-type": "set" }),
  textsAtomic: list(string(), { "x-kubernetes-list-type": "atomic" }),
  wholesSet: list(integer(), { "x-kubernetes-list-type": "set" }),
  listsAtomicSet: list(list(integer(), { "x-kubernetes-list-type": "atomic" }), { "x-kubernetes-list-type": "set" }),
  nullables: list(string({ nullable: true })),
  anythings: list(preserve),
  listNullable: list(string(), { nullable: true }),
  keyed: list(object({ a: string(), b: integer() }, { required: ["a"] }), { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["a"] }),
  keyedTwice: list(object({ a: string(), b: integer() }, { required: ["a", "b"] }), { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["a", "b"] }),
  structs: list(object({ a: string(), b: integer() })),
  struct: object({ a: string(), b: integer({ minimum: 1 }), c: object({ d: string() }) }),
  structRequired: object({ a: string(), b: integer() }, { required: ["a", "b"] }),
  structNullable: object({ a: string({ nullable: true }), b: integer() }, { nullable: true }),
  structMin: object({ a: string(), b: integer() }, { minProperties: 1 }),
  structMax: object({ a: string(), b: integer() }, { maxProperties: 1 }),
  structAtomic: object({ a: string(), b: integer() }, { "x-kubernetes-map-type": "atomic" }),
  structKept: object({ a: string(), b: object({ c: string() }) }, preserve),
  structEmpty: { type: "object" },
  structEmptyKept: { type: "object", ...preserve },
  map: map(string()),
  mapWhole: map(integer({ minimum: 1 })),
  mapNullable: map(string({ nullable: true })),
  mapStructs: map(object({ a: string(), b: integer() }, { required: ["a"] })),
  mapLists: map(list(string())),
  mapSets: map(list(string(), { "x-kubernetes-list-type": "set" })),
  mapFree: map(true),
  mapKept: map(preserve),
  mapMax: map(string(), { maxProperties: 1 }),
  mapMaps: map(map(integer())),
  embedded: object({}, { ...embedded, ...preserve }),
  embeddedTyped: object({ spec: object({ a: string() }) }, embedded),
  embeddeds: list(object({ spec: object({ a: string() }) }, embedded)),
  anyOf: { type: "string", anyOf: [{ maxLength: 1 }, { pattern: "^abc" }] },
  anyOfNumber: { type: "integer", anyOf: [{ maximum: 0 }, { minimum: 10 }] },
  oneOf: { type: "string", oneOf: [{ pattern: "^a" }, { pattern: "c$" }] },
  oneOfRequired: object({ a: string(), b: integer() }, { oneOf: [{ required: ["a"] }, { required: ["b"] }] }),
  anyOfRequired: object({ a: string(), b: integer() }, { anyOf: [{ required: ["a"], properties: { a: { minLength: 1 } } }, { required: ["b"] }] }),
  allOf: { type: "string", allOf: [{ minLength: 1 }, { maxLength: 3 }, { pattern: "^a" }] },
  not: { type: "string", not: { enum: ["a", "abc"] } },
  notRequired: object({ a: string(), b: integer() }, { not: { required: ["a", "b"] } }),
  nested: object({ a: object({ b: list(map(object({ c: string({ enum: ["x"] }) }, { required: ["c"] }))) }) }),
  allOfDeep: object({ a: string(), b: integer() }, { allOf: [{ properties: { a: { pattern: "^a" } } }, { anyOf: [{ required: ["b"] }, { properties: { a: { enum: ["abc"] } } }] }] }),
};
for (const format of formats) constructs[`format-${format}`] = string({ format });
constructs["format-date-number"] = number({ format: "date" });

/** Tried on every construct. Text that is no value is a number as it is to be spelled. */
export const values = [
  "null", "true", "false", "0", "1", "2", "3", "-1", "10", "1.5", "1000", "1e3", "1.0", "0.25", "1e21", "1e-7", "9007199254740993", "12345678901234567890", "-0.5",
  '""', '"a"', '"abc"', '"ABC"', '"ac"', '"x"', '"αβ"', '"a\\u0001<b>"', '"50%"', '"100"', '"aaaaaaaaaaaaaaaaaaaaaaaaa"',
  "[]", "[1]", "[1,1,1]", '["a"]', '["a","b","a","a"]', "[null]", '[{"a":"x"}]', '[{"a":"x","b":1},{"a":"x","b":2},{"a":"x","b":1}]', '[{"b":1},{},{"c":2}]', "[[1],[1]]", '[null,{"a":null}]',
  "{}", '{"a":"abc"}', '{"b":1}', '{"a":"abc","b":2}', '{"a":1,"b":"x"}', '{"a":null,"b":null}', '{"z":1,"a":"y","10":2}', '{"a":{"b":{"c":1}}}', '{"a":["x","x"]}', '{"a":{"c":1,"a":"y"},"b":{"c":"z","d":1}}',
  '{"a":{"b":[{"k":{"c":"y","d":1}},{"k":{}}]}}', '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"x","labels":{"a":"b"}},"spec":{"a":"b","c":1}}', '{"apiVersion":"a/b/c","kind":"bad kind","metadata":{"name":".","foo":1}}', '{"apiVersion":1,"kind":"Pod"}', '{"apiVersion":"","kind":"","metadata":{"labels":{"a b":"c d"},"finalizers":["x"]}}', '{"apiVersion":"v1","kind":"Pod","metadata":{"creationTimestamp":3}}',
];

/** Texts for formats. */
export const texts = [
  "507f1f77bcf86cd799439011", "http://a.b/c?d#e", "/a/b", "a:b", "://x", "a b", "%zz", "http://[::1]:80/x", "*", "mailto:x", "a@b.c", "Name <a@b.c>", "@b", "a@", "example.com", "a_b.com", "-a.com", "a.b.c.d.example", "localhost", "1.2.3.4", "01.02.03.04", "256.1.1.1", "::1", "::ffff:1.2.3.4", "fe80::1%eth0", "1.2.3.0/24", "1.2.3.4/33", "::/0", "1.2.3.4/", "01:23:45:67:89:ab", "01-23-45-67-89-ab", "0123.4567.89ab", "01:23:45:67:89", "123e4567-e89b-12d3-a456-426614174000", "123e4567e89b12d3a456426614174000", "123E4567-E89B-32D3-A456-426614174000", "123e4567-e89b-42d3-a456-426614174000", "123e4567-e89b-52d3-a456-426614174000", "0321751043", "978-0321751041", "032175104X", "4111 1111 1111 1111", "4111111111111112", "078-05-1120", "078051120", "#fff", "fff", "#ffff", "#FFFFFF", "rgb(1,2,3)", "rgb(1, 2, 256)", "YWJj", "YWJ", "YQ==", "2006-01-02", "2006-13-02", "2024-02-29", "2023-02-29", "1h30m", "3 days", "22 ns", "x", "1.5h", "5", "2014-12-15T19:30:20.000Z", "2014-12-15t19:30:20z", "2014-12-15T24:30:20Z", "2014-12-15", "2014-12-15T19:30:20+01:00",
];

const columns = [
  { name: "Text", type: "string", jsonPath: ".spec.text" },
  { name: "Whole", type: "integer", jsonPath: ".spec.whole" },
  { name: "Any", type: "number", jsonPath: ".spec.any", format: "float", description: "a number", priority: 1 },
  { name: "Flag", type: "boolean", jsonPath: ".spec.flag" },
  { name: "Struct", type: "string", jsonPath: ".spec.struct" },
  { name: "Texts", type: "string", jsonPath: ".spec.texts[*]" },
  { name: "Second", type: "string", jsonPath: ".spec.texts[1]" },
  { name: "Last", type: "string", jsonPath: ".spec.texts[-1:]" },
  { name: "Filter", type: "string", jsonPath: '.spec.structs[?(@.a=="x")].b' },
  { name: "Above", type: "integer", jsonPath: ".spec.structs[?(@.b>1)].b" },
  { name: "Key", type: "string", jsonPath: ".spec.map['a']" },
  { name: "Deep", type: "string", jsonPath: "..d" },
  { name: "Dotted", type: "string", jsonPath: ".metadata.labels.example\\.com/x" },
  { name: "WrongType", type: "integer", jsonPath: ".spec.text" },
  { name: "Date", type: "date", jsonPath: ".spec.textNullable" },
  { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
];

const status = object({ text: string({ maxLength: 3 }), replicas: integer(), selector: string(), set: list(string(), { "x-kubernetes-list-type": "set" }) }, { required: ["text"] });

const definition = (kind, versions, more = {}) => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `${kind.toLowerCase()}s.${group}` },
  spec: { group, scope: "Namespaced", names: { plural: `${kind.toLowerCase()}s`, singular: kind.toLowerCase(), kind, listKind: `${kind}List` }, versions, ...more },
});
const version = (name, properties, more = {}) => ({ name, served: true, storage: name === "v1", schema: { openAPIV3Schema: object(properties) }, ...more });

/** All definitions of the area. */
export const definitions = [
  definition("Thing", [version("v1", { spec: object(constructs), status }, { additionalPrinterColumns: columns })]),
  definition("Part", [
    version("v1", { spec: object({ text: string({ maxLength: 3 }), replicas: integer({ maximum: 5 }) }), status, other: preserve }, {
      subresources: { status: {}, scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas", labelSelectorPath: ".status.selector" } },
    }),
  ]),
  definition("Global", [version("v1", { spec: object({ a: string() }, { required: ["a"] }) })], { scope: "Cluster" }),
  definition("Filled", [
    version("v1", {
      spec: object({
        text: string({ default: "x" }), nullable: string({ default: "y", nullable: true }), whole: integer({ default: 3 }), flag: { type: "boolean", default: false },
        struct: object({ a: string({ default: "in" }), b: object({ c: integer({ default: 1 }) }) }, { default: {} }),
        bare: object({ a: string({ default: "in" }) }),
        list: list(object({ a: string({ default: "item" }), b: string() }), { default: [{ b: "1" }] }),
        nulls: list(string({ default: "n" })),
        map: map(object({ a: string({ default: "value" }) })),
        mapNulls: map(string({ default: "m" })),
      }, { default: {} }),
      status: object({ a: string({ default: "s" }) }),
    }),
  ]),
  definition("Change", [
    version("v1", { spec: object({ a: string({ default: "one" }), both: string() }) }),
    version("v2", { spec: object({ b: string({ default: "two" }), both: string() }) }, { deprecated: true, additionalPrinterColumns: [{ name: "B", type: "string", jsonPath: ".spec.b" }] }),
    version("v3", { spec: object({ both: integer() }) }, { deprecated: true, deprecationWarning: "v3 goes" }),
  ]),
  definition("Loose", [version("v1", { spec: preserve, data: map(string()), x: { type: "object", ...preserve } })]),
  definition("Named", [version("v1", { metadata: object({ name: string({ pattern: "^a", maxLength: 5 }) }), spec: object({}) })]),
];
