// Schemas with rules, and objects of which v1.29 has been asked what it says to them; see record.mjs. An object with `old`
// replaces that one, `status: true` by its /status subresource. Objects and schemas are those of `spec` where they have no
// other root.

const text = { type: "string" };
const integer = { type: "integer" };
const object = (properties, ...rules) => ({ type: "object", properties, ...ruled(...rules) });
const ruled = (...rules) =>
  rules.length === 0
    ? {}
    : { "x-kubernetes-validations": rules.map((rule) => (typeof rule === "string" ? { rule } : rule)) };
const kind = (spec, objects, more = {}) => ({ spec, objects, ...more });
const list = (items, more = {}, ...rules) => ({ type: "array", items, ...more, ...ruled(...rules) });
const ports = (...rules) =>
  list(
    object({ name: { type: "string" }, port: integer }),
    { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"], maxItems: 20 },
    ...rules,
  );
const withItems = (schema, ...rules) => ({
  ...schema,
  items: { ...schema.items, required: ["name"], ...ruled(...rules) },
});
const from = (old, next) => ({ old, object: next });

export const kinds = [
  // Values and their absence.
  kind(object({ x: integer, y: integer }, "self.x + self.y > 0"), [
    {},
    { x: 1 },
    { x: 1, y: 0 },
    { x: 0, y: 0 },
    { x: -1, y: 1 },
    { x: 9007199254740991, y: 9007199254740991 },
    { x: -5, y: 5.5 },
    { x: "a" },
    { x: 1.5, y: 1 },
  ]),
  kind(object({ x: integer, y: { type: "integer", nullable: true } }, "!has(self.y) || self.y > 0"), [
    {},
    { y: null },
    { y: 1 },
    { y: 0 },
  ]),
  kind(
    object({
      x: { type: "integer", nullable: true, ...ruled("self > 0") },
      y: { type: "object", nullable: true, properties: { z: integer }, ...ruled("self.z > 0") },
    }),
    [
      {},
      { x: null },
      { x: 1 },
      { x: 0 },
      { y: null },
      { y: {} },
      { y: { z: 1 } },
      { y: { z: 0 } },
      { x: 0, y: { z: 0 } },
    ],
  ),
  kind(object({ ratio: { type: "number" }, count: integer }, "self.ratio > 0.5", "self.ratio < double(self.count)"), [
    { ratio: 1, count: 2 },
    { ratio: 0.75, count: 1 },
    { ratio: 0.5, count: 1 },
    { ratio: 2, count: 2 },
    { ratio: 3, count: 2 },
    { ratio: 1 },
    {},
  ]),
  kind(
    object(
      { ratios: list({ type: "number" }), byName: { type: "object", additionalProperties: { type: "number" } } },
      "self.ratios.all(r, r > 1.0)",
      "self.ratios.sum() < 10.0",
      "!has(self.byName) || self.byName.all(n, self.byName[n] == 1.0)",
      "!has(self.byName) || type(self.byName['a']) == double",
    ),
    [
      { ratios: [2, 3] },
      { ratios: [1, 2] },
      { ratios: [1.5, 9] },
      { ratios: [] },
      { ratios: [2], byName: { a: 1, b: 1 } },
      { ratios: [2], byName: { a: 2 } },
      { ratios: [2], byName: {} },
    ],
  ),
  kind(
    object(
      { port: { "x-kubernetes-int-or-string": true } },
      "type(self.port) == int ? self.port < 5 : self.port.startsWith('h')",
    ),
    [{ port: 4 }, { port: 5 }, { port: "http" }, { port: "x" }, {}, { port: true }],
  ),
  kind(
    object(
      { port: { "x-kubernetes-int-or-string": true } },
      "self.port > 5",
      "self.port.size() > 1",
      "self.port + 1 > 2",
    ),
    [{ port: 4 }, { port: 6 }, { port: "http" }],
  ),
  kind(
    object({
      port: { "x-kubernetes-int-or-string": true, ...ruled("self == 80") },
      text: { type: "string", ...ruled("self == 'a'") },
    }),
    [{ port: 80 }, { port: 81 }, { port: "80", text: "b" }, { text: "a" }],
  ),
  kind(
    object(
      { flag: { type: "boolean" }, text: { type: "string" } },
      "self.flag || self.text == 'a'",
      "self.text == 'a' || self.flag",
    ),
    [{}, { flag: true }, { flag: false }, { text: "a" }, { flag: false, text: "b" }, { flag: true, text: "b" }],
  ),
  // Formats.
  kind(
    object(
      {
        time: { type: "string", format: "date-time" },
        day: { type: "string", format: "date" },
        lasts: { type: "string", format: "duration" },
        bytes: { type: "string", format: "byte" },
      },
      "!has(self.time) || self.time > timestamp('2020-01-01T00:00:00Z')",
      "!has(self.day) || self.day.getFullYear() == 2021",
      "!has(self.lasts) || self.lasts < duration('1h')",
      "!has(self.bytes) || self.bytes == b'abc'",
      "!has(self.time) || !has(self.day) || self.time > self.day",
    ),
    [
      {},
      { time: "2021-01-01T00:00:00Z" },
      { time: "2019-01-01T00:00:00Z" },
      { time: "2020-01-01T01:00:00+02:00" },
      { time: "2020-01-01T00:00:00.5Z" },
      { time: "2021-02-01T00:00:00Z", day: "2021-01-01" },
      { time: "2021-01-01T00:00:00Z", day: "2021-02-01" },
      { day: "2020-12-31" },
      { day: "2021-13-01" },
      { time: "soon" },
      { lasts: "30m" },
      { lasts: "2h" },
      { lasts: "1 day" },
      { lasts: "30 minutes" },
      { lasts: "long" },
      { bytes: "YWJj" },
      { bytes: "YWI=" },
      { bytes: "?" },
    ],
  ),
  kind(
    object(
      {
        times: list({ type: "string", format: "date-time" }),
        byName: { type: "object", additionalProperties: { type: "string", format: "duration" } },
      },
      "self.times.all(t, t.getHours() == 1)",
      "!has(self.byName) || self.byName.all(n, self.byName[n] > duration('1s'))",
      "timestamp('2021-01-01T01:00:00Z') in self.times",
    ),
    [
      { times: ["2021-01-01T01:00:00Z"] },
      { times: ["2021-01-01T02:00:00+01:00"] },
      { times: ["2021-01-01T02:00:00Z"] },
      { times: [] },
      { times: ["2021-01-01T01:00:00Z"], byName: { a: "2s" } },
      { times: ["2021-01-01T01:00:00Z"], byName: { a: "1s" } },
    ],
  ),
  kind(
    object({
      time: {
        type: "string",
        format: "date-time",
        ...ruled("self > timestamp('2020-01-01T00:00:00Z')", "self >= oldSelf"),
      },
    }),
    [
      { time: "2021-01-01T00:00:00Z" },
      { time: "2019-01-01T00:00:00Z" },
      from({ time: "2021-01-01T00:00:00Z" }, { time: "2021-01-01T00:00:00.0Z" }),
      from({ time: "2021-01-01T00:00:01Z" }, { time: "2021-01-01T00:00:00Z" }),
    ],
  ),
  // Names.
  kind(
    object(
      {
        namespace: text,
        "a-b": text,
        "a.b": text,
        "a/b": text,
        a__b: text,
        if: { type: "boolean" },
        "a b": { type: "string", ...ruled("self == 'x'") },
      },
      "!has(self.__namespace__) || self.__namespace__ == 'x'",
      "!has(self.a__dash__b) || self.a__dash__b == 'x'",
      "!has(self.a__dot__b) || self.a__dot__b == 'x'",
      "!has(self.a__slash__b) || self.a__slash__b == 'x'",
      "!has(self.a__underscores__b) || self.a__underscores__b == 'x'",
      "!has(self.__if__) || self.__if__",
    ),
    [
      {},
      { namespace: "x", "a-b": "x", "a.b": "x", "a/b": "x", a__b: "x", if: true, "a b": "x" },
      { namespace: "y" },
      { "a-b": "y" },
      { "a.b": "y" },
      { "a/b": "y" },
      { a__b: "y" },
      { if: false },
      { "a b": "y" },
    ],
  ),
  // Messages, reasons and paths.
  kind(
    object(
      { a: text },
      { rule: "self.a == '1'", message: "must be 1" },
      { rule: "self.a == '1'", message: " trimmed " },
      { rule: "  self.a == '1'  " },
      { rule: "self.a == '1'", messageExpression: "'is ' + self.a" },
      { rule: "self.a == '1'", message: "m", messageExpression: "'  ' + self.a + ' '" },
      { rule: "self.a\n== '1'", message: "m" },
    ),
    [{ a: "1" }, { a: "2" }, { a: "" }, {}],
  ),
  kind(
    object(
      { a: { type: "string" }, n: integer },
      { rule: "self.a == '1'", message: "m", messageExpression: "self.a" },
      { rule: "self.a == '1'", messageExpression: "string(1 / self.n)" },
      { rule: "self.a == '1'", messageExpression: "self.a + '\\n' + self.a" },
    ),
    [
      { a: "2", n: 1 },
      { a: "", n: 1 },
      { a: " ", n: 0 },
      { a: "x\ny", n: 0 },
      { a: "x".repeat(5120), n: 0 },
      { a: "x".repeat(5121), n: 0 },
      { a: "ü".repeat(2561), n: 0 },
      { a: " \n x \n ", n: 2 },
    ],
  ),
  kind(
    object(
      { a: text, b: object({ c: text }), m: { type: "object", additionalProperties: text }, "d-e": text },
      { rule: "self.a != '0'", reason: "FieldValueRequired", message: "required" },
      { rule: "self.a != '0'", reason: "FieldValueForbidden", message: "forbidden" },
      { rule: "self.a != '0'", reason: "FieldValueDuplicate", message: "duplicate" },
      { rule: "self.a != '0'", reason: "FieldValueInvalid", message: "invalid" },
      { rule: "self.a != '0'", reason: "FieldValueRequired", messageExpression: "'from ' + self.a" },
    ),
    [{ a: "0" }, { a: "1" }],
  ),
  kind(
    object(
      { a: text, b: object({ c: text }), m: { type: "object", additionalProperties: text }, "d-e": text },
      { rule: "self.a != '1' && self.a != '0'", fieldPath: ".a" },
    ),
    [{ a: "0" }, { a: "2" }],
  ),
  kind(
    object(
      { a: text, b: object({ c: text }), m: { type: "object", additionalProperties: text }, "d-e": text },
      { rule: "self.a != '1'", fieldPath: ".a" },
      { rule: "self.a != '2'", fieldPath: ".b.c", reason: "FieldValueRequired" },
      { rule: "self.a != '3'", fieldPath: ".m['x.y']" },
      { rule: "self.a != '4'", fieldPath: "['d-e']" },
      { rule: "self.a != '5'" },
      { rule: "!(self.a in ['6', '7'])", fieldPath: ".a" },
      { rule: "!(self.a in ['6', '7'])", fieldPath: ".b['c']" },
      { rule: "self.a != '7'" },
    ),
    ["1", "2", "3", "4", "5", "6", "7", "8"].map((a) => ({ a })),
  ),
  kind(undefined, [{ spec: { a: "1" } }, { spec: { a: "2" } }, { spec: {} }, {}], {
    root: object(
      { spec: object({ a: text }) },
      { rule: "has(self.spec) && self.spec.a == '1'", fieldPath: ".spec.a" },
      { rule: "self.spec.a == '1'" },
      { rule: "self.metadata.name == 'other'", message: "name" },
    ),
  }),
  kind(undefined, [{ spec: { a: "1" } }, from({ spec: { a: "1" } }, { spec: { a: "2" } })], {
    root: object(
      { spec: object({ a: text }) },
      "self.kind.startsWith('Test') && self.apiVersion == 'example.com/v1'",
      "!has(self.metadata.generateName)",
      "self == oldSelf",
      "self.spec == oldSelf.spec",
    ),
  }),
  // Levels.
  kind(
    object({
      l: list({ type: "string", maxLength: 50, ...ruled("self != 'b'") }, { maxItems: 10 }),
      m: { type: "object", maxProperties: 10, additionalProperties: { type: "integer", ...ruled("self > 0") } },
    }),
    [
      { l: ["a"] },
      { l: ["b"] },
      { l: ["a", "b", "b"] },
      { m: { x: 1 } },
      { m: { x: 0 } },
      { m: { "a.b/c": 0 } },
      { l: ["b"], m: { y: -1 } },
      { l: [null] },
    ],
  ),
  kind(
    object(
      {
        m: {
          type: "object",
          maxProperties: 5,
          additionalProperties: {
            type: "object",
            properties: { l: list(object({ n: integer }, "self.n > 0"), { maxItems: 5 }, "self.size() > 1") },
            ...ruled("has(self.l)"),
          },
          ...ruled("self.size() < 3"),
        },
      },
      "has(self.m)",
    ),
    [
      {},
      { m: {} },
      { m: { a: {} } },
      { m: { a: { l: [] } } },
      { m: { a: { l: [{ n: 1 }, { n: 0 }] } } },
      { m: { a: { l: [{ n: 1 }, { n: 2 }] } } },
      { m: { a: { l: [{ n: 0 }] } } },
      { m: { a: {}, b: {}, c: {} } },
    ],
  ),
  kind(
    object({
      l: list(
        { type: "array", maxItems: 3, items: { type: "integer", ...ruled("self < 5") }, ...ruled("self.size() == 2") },
        { maxItems: 5 },
      ),
    }),
    [
      { l: [[1, 2]] },
      { l: [[1]] },
      {
        l: [
          [1, 5],
          [6, 1],
        ],
      },
      { l: [[]] },
    ],
  ),
  kind(
    object({
      l: list(
        { type: "string", nullable: true, ...ruled("self == 'a'") },
        { maxItems: 5 },
        "self.all(x, dyn(x) == null || x == 'a')",
      ),
    }),
    [{ l: ["a", null] }, { l: [null, "b"] }, { l: [] }],
  ),
  // Sets and maps.
  kind(
    object(
      {
        s: list(text, { "x-kubernetes-list-type": "set", maxItems: 10 }),
        t: list(text, { "x-kubernetes-list-type": "set", maxItems: 10 }),
        l: list(text, { maxItems: 10 }),
      },
      "!has(self.t) || self.s == self.t",
      "self.s + ['x'] == self.s",
      "!has(self.l) || self.s == self.l",
      "!has(self.l) || self.l == self.s",
      "!has(self.l) || self.l + ['x'] == self.l",
      "!has(self.l) || (self.s + self.l).size() == 2",
    ),
    [
      { s: ["x"] },
      { s: ["a"] },
      { s: ["x", "a"], t: ["a", "x"] },
      { s: ["x", "a"], t: ["a"] },
      { s: ["x", "a"], t: ["b", "x"] },
      { s: ["x", "a"], l: ["a", "x"] },
      { s: ["x", "a"], l: ["x", "a"] },
      { s: ["x"], l: ["x", "x"] },
      { s: ["x"], l: ["a"] },
    ],
  ),
  kind(
    object(
      {
        s: list({ type: "number" }, { "x-kubernetes-list-type": "set", maxItems: 10 }),
        t: list({ type: "string", format: "date-time" }, { "x-kubernetes-list-type": "set", maxItems: 10 }),
        o: list(
          { type: "object", "x-kubernetes-map-type": "atomic", properties: { a: integer } },
          { "x-kubernetes-list-type": "set", maxItems: 5 },
        ),
      },
      "!has(self.s) || self.s == self.s",
      "!has(self.t) || self.t == self.t",
      "!has(self.o) || self.o == self.o",
      "!has(self.s) || 1.0 in self.s",
      "!has(self.o) || self.o[0].a == 1",
    ),
    [
      { s: [1, 2] },
      { s: [1.5] },
      { s: [1.5, 1] },
      { t: ["2021-01-01T00:00:00Z"] },
      { o: [{ a: 1 }] },
      { o: [{ a: 2 }] },
    ],
  ),
  kind(
    object(
      { p: withItems(ports()), q: withItems(ports()) },
      "self.p == dyn(self.q)",
      "self.p + dyn(self.q) == self.p",
      "self.q + dyn(self.p) == self.q",
      "(self.p + dyn(self.q)).size() == 2",
    ),
    [
      { p: [{ name: "a", port: 1 }], q: [{ name: "a", port: 1 }] },
      {
        p: [
          { name: "a", port: 1 },
          { name: "b", port: 2 },
        ],
        q: [
          { name: "b", port: 2 },
          { name: "a", port: 1 },
        ],
      },
      { p: [{ name: "a", port: 1 }], q: [{ name: "a", port: 2 }] },
      { p: [{ name: "a", port: 1 }], q: [{ name: "b", port: 1 }] },
      { p: [{ name: "a" }], q: [{ name: "a" }, { name: "b" }] },
    ],
  ),
  kind(
    object(
      {
        p: list(
          { type: "object", required: ["a-b"], properties: { "a-b": text, v: integer } },
          { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["a-b"], maxItems: 5 },
        ),
        q: list({ type: "object", properties: { "a-b": text, v: integer } }, { maxItems: 5 }),
      },
      "self.p == dyn(self.q)",
      "dyn(self.q) == self.p",
    ),
    [
      { p: [{ "a-b": "x" }], q: [{ "a-b": "x" }] },
      { p: [{ "a-b": "x" }, { "a-b": "y" }], q: [{ "a-b": "y" }, { "a-b": "x" }] },
      { p: [{ "a-b": "x" }, { "a-b": "y" }], q: [{ "a-b": "x" }, { "a-b": "y" }] },
      { p: [{ "a-b": "x" }], q: [{ "a-b": "y" }] },
    ],
  ),
  // Objects as values.
  kind(
    object(
      {
        a: object({ x: integer, y: { type: "string", nullable: true } }),
        b: object({ x: integer, y: { type: "string", nullable: true } }),
        open: { type: "object", "x-kubernetes-preserve-unknown-fields": true, properties: { x: integer } },
      },
      "self.a == dyn(self.b) || self.a != self.a",
      "self.a == self.a",
      "!has(self.open) || self.open == self.open",
      "self.a in [dyn(self.b)]",
    ),
    [
      { a: {}, b: {} },
      { a: { x: 1 }, b: { x: 1 } },
      { a: { x: 1 }, b: { x: 2 } },
      { a: { x: 1 }, b: {} },
      { a: { y: null }, b: { y: null } },
      { a: { y: "a" }, b: { y: null } },
      { a: {}, b: {}, open: { z: { w: [1] } } },
    ],
  ),
  kind(
    object(
      { m: { type: "object", maxProperties: 10, additionalProperties: { type: "string", nullable: true } } },
      "self.m.all(k, dyn(self.m[k]) == null || self.m[k] == k)",
      "'a' in self.m",
      "has(self.m.a)",
      "self.m.size() == 2",
      "self.m.exists(k, k == 'b')",
    ),
    [
      { m: { a: "a", b: "b" } },
      { m: { a: null, b: null } },
      { m: { a: "b" } },
      { m: {} },
      { m: { b: "b", c: "c" } },
      {},
    ],
  ),
  kind(
    object(
      {
        t: {
          type: "object",
          "x-kubernetes-embedded-resource": true,
          "x-kubernetes-preserve-unknown-fields": true,
          ...ruled("self.metadata.name == 'a'", "self.kind == 'Pod'"),
        },
      },
      "self.t.metadata.name == 'a'",
      "!has(self.t.metadata.generateName)",
    ),
    [
      { t: { kind: "Pod", apiVersion: "v1", metadata: { name: "a" } } },
      { t: { kind: "Pod", apiVersion: "v1", metadata: { name: "b", labels: { x: "y" } } } },
      { t: { kind: "Other", apiVersion: "v1" } },
      { t: { kind: "Pod", apiVersion: "v1", metadata: { generateName: "a" }, spec: { x: 1 } } },
    ],
  ),
  // Transitions.
  kind(
    object({
      num: { type: "integer", ...ruled("self > oldSelf") },
      fixed: {
        type: "string",
        ...ruled({ rule: "self == oldSelf", message: "is immutable", reason: "FieldValueForbidden" }),
      },
    }),
    [
      { num: 10 },
      from({ num: 10 }, { num: 9 }),
      from({ num: 10 }, { num: 11 }),
      from({ num: 10 }, { num: 10 }),
      from({ num: 10 }, {}),
      from({}, { num: 1 }),
      from({ fixed: "a" }, { fixed: "b" }),
      from({ fixed: "a" }, { fixed: "a" }),
      from({ fixed: "a" }, {}),
    ],
  ),
  kind(
    object(
      { a: { type: "string", maxLength: 20 }, b: integer },
      "has(self.a) == has(oldSelf.a)",
      { rule: "!has(oldSelf.b) || self.b >= oldSelf.b", messageExpression: "'from ' + oldSelf.a + ' to ' + self.a" },
      { rule: "!has(self.b) || self.b != 100", messageExpression: "'was ' + oldSelf.a" },
    ),
    [
      { b: 100 },
      { b: 1 },
      from({ a: "x" }, {}),
      from({}, { a: "x" }),
      from({ a: "x", b: 2 }, { a: "y", b: 1 }),
      from({ b: 2 }, { b: 1 }),
      from({ a: "x", b: 2 }, { a: "x", b: 100 }),
      from({ b: 2 }, { b: 100 }),
      from({ b: 2 }, {}),
      from({ b: 1 }, { b: 1 }),
    ],
  ),
  kind(
    object(
      { b: integer },
      { rule: "self.b != 100", messageExpression: "oldSelf.b == 2 ? 'was two' : 'was none'", message: "no hundred" },
    ),
    [{ b: 100 }, from({ b: 2 }, { b: 100 })],
  ),
  kind(object({ p: withItems(ports(), "self.port >= oldSelf.port", "self.port > 0") }), [
    { p: [{ name: "a", port: 1 }] },
    from(
      {
        p: [
          { name: "a", port: 1 },
          { name: "b", port: 5 },
        ],
      },
      {
        p: [
          { name: "b", port: 4 },
          { name: "a", port: 1 },
        ],
      },
    ),
    from({ p: [{ name: "a", port: 1 }] }, { p: [{ name: "b", port: 1 }] }),
    from(
      { p: [{ name: "a", port: 3 }] },
      {
        p: [
          { name: "c", port: 0 },
          { name: "a", port: 2 },
        ],
      },
    ),
    from({}, { p: [{ name: "a", port: 1 }] }),
  ]),
  kind(
    object({
      p: list(
        {
          ...object({ n: integer, k: text, v: { type: "integer", ...ruled("self == oldSelf") } }),
          required: ["n", "k"],
        },
        { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["n", "k"], maxItems: 5 },
      ),
    }),
    [
      from({ p: [{ n: 1, k: "a", v: 1 }] }, { p: [{ n: 1, k: "a", v: 2 }] }),
      from({ p: [{ n: 1, k: "a", v: 1 }] }, { p: [{ n: 1, k: "b", v: 2 }] }),
      from(
        {
          p: [
            { n: 2, k: "a", v: 1 },
            { n: 1, k: "a", v: 1 },
          ],
        },
        {
          p: [
            { n: 1, k: "a", v: 1 },
            { n: 2, k: "a", v: 3 },
          ],
        },
      ),
    ],
  ),
  kind(
    object({
      m: { type: "object", maxProperties: 5, additionalProperties: { type: "integer", ...ruled("self == oldSelf") } },
      g: {
        type: "object",
        "x-kubernetes-map-type": "atomic",
        properties: { x: { type: "integer", ...ruled("self == oldSelf") } },
      },
    }),
    [
      from({ m: { a: 1 } }, { m: { a: 2 } }),
      from({ m: { a: 1 } }, { m: { b: 2 } }),
      from({ m: { a: 1 } }, { m: { a: 1, b: 2 } }),
      from({ g: { x: 1 } }, { g: { x: 2 } }),
      from({ g: {} }, { g: { x: 2 } }),
    ],
  ),
  kind(
    object({
      l: list(text, { maxItems: 5 }, "oldSelf.all(x, x in self)"),
      s: list(text, { maxItems: 5, "x-kubernetes-list-type": "set" }, "self == oldSelf"),
    }),
    [
      from({ l: ["a"] }, { l: ["a", "b"] }),
      from({ l: ["a"] }, { l: ["b"] }),
      from({ s: ["a", "b"] }, { s: ["b", "a"] }),
      from({ s: ["a", "b"] }, { s: ["a"] }),
      { l: ["a"], s: ["a"] },
    ],
  ),
  kind(object({ n: { type: "string", nullable: true, ...ruled("self == oldSelf") } }), [
    from({ n: null }, { n: "a" }),
    from({ n: "a" }, { n: null }),
    from({ n: "a" }, { n: "b" }),
  ]),
  // Errors of evaluation.
  kind(
    object(
      {
        n: integer,
        l: list(integer, { maxItems: 5 }),
        m: { type: "object", maxProperties: 5, additionalProperties: text },
      },
      "10 / self.n > 1",
      "self.l[self.n] > 0",
      "self.m['a'] == 'b'",
      { rule: "self.n % 0 == 1", message: "has a message" },
      "self.l.max() > 0",
      "int(self.m['n']) > 0",
    ),
    [
      { n: 0 },
      { n: 1, l: [1] },
      { n: 1, l: [1, 2], m: { a: "b", n: "1" } },
      { n: 5, l: [], m: { n: "x" } },
      { n: -1, l: [1], m: {} },
    ],
  ),
  kind(
    object(
      { n: integer, t: { type: "string", maxLength: 25 } },
      "self.n + 9223372036854775807 > 0",
      "-self.n < 0",
      "self.n * 9223372036854775807 > 0",
      "timestamp(self.t) > timestamp('2020-01-01T00:00:00Z')",
      "duration(self.t) > duration('1s')",
      "self.t.matches(self.t)",
      "url(self.t).getHost() == 'a'",
      "dyn(self.t) + 1 == 2",
      "self.t.substring(5) == 'a'",
    ),
    [
      { n: 1, t: "a" },
      { n: -1, t: "2s" },
      { n: 2, t: "2021-01-01T00:00:00Z" },
      { n: 0, t: "(" },
      { n: 3, t: "https://a/b" },
    ],
  ),
  // Broken schemas.
  kind(
    object(
      {
        a: { type: "string", maxLength: 3 },
        b: { type: "integer", minimum: 1 },
        c: { type: "string", enum: ["x", "y"] },
        d: { type: "string", pattern: "^a" },
        l: list(integer, { maxItems: 2 }),
        m: { type: "object", maxProperties: 1, additionalProperties: integer },
      },
      "false",
    ),
    [
      { a: "abcd" },
      { b: 0 },
      { c: "z" },
      { d: "b" },
      { l: [1, 2, 3] },
      { m: { a: 1, b: 2 } },
      { a: 1 },
      { a: "a", b: 1, c: "x", d: "a", l: [], m: {} },
    ],
  ),
  kind(object({ a: integer, b: integer }, "self.a == 1"), [{ a: 1, b: 1 }, { a: 2 }, { b: "x", a: 2 }]),
  {
    spec: { ...object({ a: integer, b: integer }, "self.a == 1"), required: ["b"] },
    objects: [{ a: 1, b: 1 }, { a: 2 }, { a: 2, b: 1 }],
  },
  kind(object({ s: list(text, { "x-kubernetes-list-type": "set", maxItems: 5 }) }, "self.s.size() == 1"), [
    { s: ["a"] },
    { s: ["a", "a"] },
    { s: ["a", "b"] },
  ]),
  // Costs.
  kind(
    object({ largeArray: list(integer, { maxItems: 725 }) }, "self.largeArray.all(x, self.largeArray.all(y, y == x))"),
    [
      { largeArray: Array(10).fill(20) },
      { largeArray: Array(725).fill(20) },
      { largeArray: Array(400).fill(20) },
      { largeArray: [1, 2] },
    ],
  ),
  kind(
    object(
      { largeArray: list(integer, { maxItems: 400 }) },
      ...Array.from(
        { length: 12 },
        (_, index) => `self.largeArray.all(x, self.largeArray.all(y, y == x || x > ${index}))`,
      ),
      { rule: "false", message: "last" },
    ),
    [{ largeArray: Array(400).fill(20) }, { largeArray: Array(380).fill(20) }, { largeArray: Array(100).fill(20) }],
  ),
  kind(
    object(
      { l: list(integer, { maxItems: 500 }) },
      {
        rule: "self.l.size() < 2",
        message: "short",
        messageExpression: "self.l.all(x, self.l.all(y, x == y && y == x)) ? 'a' : 'b'",
      },
      "self.l.size() < 1",
    ),
    [{ l: [1, 1] }, { l: Array(50).fill(1) }, { l: Array(500).fill(1) }],
  ),
  kind(
    object({
      l: list(
        {
          type: "object",
          properties: {
            v: list(integer, { maxItems: 30 }, "self.all(x, self.all(y, x == y))", "self.all(x, self.all(y, x >= y))"),
          },
        },
        { maxItems: 400 },
      ),
    }),
    [
      { l: Array(60).fill({ v: Array(30).fill(1) }) },
      { l: Array(400).fill({ v: Array(30).fill(1) }) },
      { l: [{ v: [1, 2] }, { v: [] }, {}] },
    ],
  ),
  // Macros and functions over data.
  kind(
    object(
      {
        names: list({ type: "string", maxLength: 20 }, { maxItems: 20 }),
        count: integer,
        labels: { type: "object", maxProperties: 20, additionalProperties: { type: "string", maxLength: 20 } },
      },
      "self.names.all(n, n.matches('^[a-z]+$'))",
      "self.names.exists_one(n, n == 'a')",
      "self.names.filter(n, n.startsWith('b')).size() <= 1",
      "self.names.isSorted()",
      "self.names.indexOf('a') == 0",
      "size(self.names) == self.count",
      "!has(self.labels) || self.labels.all(k, k in self.names)",
      "!has(self.labels) || self.names.all(n, n in self.labels)",
      "type(self.labels) == map",
      "self.names.map(n, n.size() > 1, n).size() < 2",
    ),
    [
      { names: ["a"], count: 1 },
      { names: ["a", "b"], count: 2, labels: { a: "x", b: "y" } },
      { names: ["b", "a"], count: 2 },
      { names: ["a", "a"], count: 2 },
      { names: ["A"], count: 1 },
      { names: [], count: 0 },
      { names: ["a", "bb", "bc"], count: 3, labels: { z: "x" } },
      { count: 1 },
    ],
  ),
  kind(
    object(
      { firstArray: list(integer, { maxItems: 1000 }), secondArray: list(integer, { maxItems: 1000 }) },
      "self.firstArray.isSorted() && self.secondArray.isSorted() && ((self.firstArray.sum() + self.secondArray.sum()) % 2 == 0)",
    ),
    [
      { firstArray: [3, 4], secondArray: [5, 10] },
      { firstArray: [4, 3], secondArray: [5, 10] },
      { firstArray: [1], secondArray: [] },
      { firstArray: [] },
    ],
  ),
  // The status subresource.
  {
    root: object({
      spec: object({ a: integer }, "self.a > 0", "self.a >= oldSelf.a"),
      status: object(
        { health: text, n: integer },
        "self.health == 'ok' || self.health == 'unhealthy'",
        "!has(oldSelf.n) || self.n >= oldSelf.n",
      ),
    }),
    status: true,
    objects: [
      { spec: { a: 0 }, status: { health: "bad" } },
      { spec: { a: 1 }, status: { health: "bad" } },
      { old: { spec: { a: 1 } }, object: { spec: { a: 1 }, status: { health: "bad" } }, subresource: "status" },
      { old: { spec: { a: 1 } }, object: { spec: { a: 0 }, status: { health: "ok" } }, subresource: "status" },
      { old: { spec: { a: 2 } }, object: { spec: { a: 1 }, status: { health: "bad" } } },
      { old: { spec: { a: 2 } }, object: { spec: { a: 3 }, status: { health: "bad" } } },
      { old: { spec: { a: 2 } }, object: { status: {} }, subresource: "status" },
      { old: { spec: { a: 2 } }, object: { status: { health: 1 } }, subresource: "status" },
    ],
  },
  // Old values of formats and numbers, several levels of transitions, and macros with old values.
  kind(
    object({
      ratio: { type: "number", ...ruled("self >= oldSelf") },
      lasts: { type: "string", format: "duration", ...ruled("self >= oldSelf", "self < duration('10h')") },
    }),
    [
      from({ ratio: 1 }, { ratio: 1.5 }),
      from({ ratio: 1.5 }, { ratio: 1 }),
      from({ lasts: "60m" }, { lasts: "1h" }),
      from({ lasts: "2h" }, { lasts: "119m" }),
      from({ lasts: "2h" }, { lasts: "10h" }),
      { ratio: 1, lasts: "11h" },
    ],
  ),
  kind(
    object(
      { l: list(integer, { maxItems: 20 }), m: { type: "object", maxProperties: 10, additionalProperties: integer } },
      "oldSelf.l.all(x, self.l.exists(y, y >= x))",
      "oldSelf.m.all(k, k in self.m && self.m[k] >= oldSelf.m[k])",
      "self.l.size() >= oldSelf.l.size()",
      "self.m.filter(k, !(k in oldSelf.m)).size() <= 1",
    ),
    [
      {},
      { l: [1], m: { a: 1 } },
      from({ l: [1, 2], m: { a: 1 } }, { l: [2, 3], m: { a: 1, b: 2 } }),
      from({ l: [1, 5], m: { a: 1 } }, { l: [2, 3], m: { a: 0 } }),
      from({ l: [1], m: {} }, { l: [], m: { a: 1, b: 2 } }),
      from({}, { l: [1], m: {} }),
      from({ l: [1], m: {} }, {}),
    ],
  ),
];
