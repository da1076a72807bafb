// Schemas with rules written by hand, after those that people publish, each with values to create and to change.

const text = (more = {}) => ({ type: "string", maxLength: 20, ...more });
const integer = { type: "integer" };
const object = (properties, ...rules) => ({ type: "object", properties, ...ruled(rules) });
const list = (items, more, ...rules) => ({ type: "array", maxItems: 10, items, ...more, ...ruled(rules) });
const map = (values, ...rules) => ({
  type: "object",
  maxProperties: 10,
  additionalProperties: values,
  ...ruled(rules),
});
const ruled = (rules) =>
  rules.length === 0
    ? {}
    : { "x-kubernetes-validations": rules.map((rule) => (typeof rule === "string" ? { rule } : rule)) };
const keyed = { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"] };
const embedded = { "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true };

export const byHand = [
  {
    name: "a scale within its bounds",
    spec: object(
      { min: integer, max: integer, replicas: integer },
      {
        rule: "self.min <= self.replicas && self.replicas <= self.max",
        messageExpression: "string(self.min)",
        fieldPath: ".replicas",
      },
      {
        rule: "!has(oldSelf.max) || self.max >= oldSelf.max",
        message: "max only grows",
        reason: "FieldValueForbidden",
      },
    ),
    values: [
      { min: 1, max: 3, replicas: 2 },
      { min: 1, max: 3, replicas: 9 },
      { min: 1, replicas: 2 },
      { min: 0, max: 1, replicas: 1 },
      { min: 0, max: 5, replicas: 5 },
    ],
  },
  {
    name: "fields that never change",
    spec: object({
      class: { ...text(), ...ruled(["self == oldSelf"]) },
      zone: {
        ...text(),
        ...ruled([
          {
            rule: "oldSelf == '' || self == oldSelf",
            messageExpression: "oldSelf + ' is for ever, not ' + self",
            reason: "FieldValueForbidden",
          },
        ]),
      },
    }),
    values: [
      { class: "a", zone: "" },
      { class: "b", zone: "x" },
      { class: "a", zone: "y" },
      { zone: "x" },
      { class: "c" },
    ],
  },
  {
    name: "one of",
    spec: object(
      { inline: object({ text: text() }), ref: object({ name: text() }), both: { type: "boolean" } },
      {
        rule: "has(self.inline) != has(self.ref) || has(self.both) && self.both",
        message: "exactly one of inline and ref",
      },
      {
        rule: "[has(self.inline), has(self.ref)].filter(x, x).size() >= 1",
        reason: "FieldValueRequired",
        fieldPath: ".ref.name",
      },
    ),
    values: [
      { inline: { text: "a" } },
      { ref: { name: "a" } },
      { inline: {}, ref: {} },
      { inline: {}, ref: {}, both: true },
      {},
    ],
  },
  {
    name: "ports by name",
    spec: object({
      ports: list(
        {
          ...object(
            { name: text(), port: integer },
            { rule: "!has(oldSelf.port) || self.port == oldSelf.port", message: "ports stay" },
          ),
          required: ["name"],
        },
        keyed,
        "self.all(p, self.exists_one(q, q.port == p.port))",
        { rule: "oldSelf.all(o, self.exists(n, n.name == o.name))", message: "ports are never removed" },
      ),
    }),
    values: [
      {
        ports: [
          { name: "a", port: 1 },
          { name: "b", port: 2 },
        ],
      },
      {
        ports: [
          { name: "b", port: 2 },
          { name: "a", port: 9 },
        ],
      },
      { ports: [{ name: "a", port: 1 }] },
      {
        ports: [
          { name: "a", port: 1 },
          { name: "b", port: 2 },
          { name: "c", port: 2 },
        ],
      },
      {
        ports: [
          { name: "c", port: 3 },
          { name: "b", port: 2 },
          { name: "a", port: 1 },
        ],
      },
    ],
  },
  {
    name: "sets",
    spec: object({
      tags: list(
        text(),
        { "x-kubernetes-list-type": "set" },
        "self == ['a', 'b'] || self.exists(t, t.startsWith('x'))",
        "self + ['z'] == ['z'] + self",
      ),
      old: list(text(), { "x-kubernetes-list-type": "set" }, "self == oldSelf"),
    }),
    values: [
      { tags: ["b", "a"], old: ["a", "b"] },
      { tags: ["c"], old: ["b", "a"] },
      { tags: ["x1", "q"], old: ["a"] },
      { tags: [] },
      { tags: ["a", "b", "z"] },
    ],
  },
  {
    name: "maps of maps",
    spec: object({
      rooms: map(
        map(object({ seats: integer }, "self.seats > 0"), "self.size() < 3"),
        "self.all(k, k.matches('^[a-z]+$'))",
        { rule: "oldSelf.all(k, k in self)", messageExpression: "string(oldSelf.size())" },
      ),
    }),
    values: [
      { rooms: { a: { b: { seats: 1 } } } },
      { rooms: { a: { b: { seats: 0 } } } },
      { rooms: { A: {} } },
      { rooms: { c: { d: { seats: 2 } } } },
      { rooms: { a: {}, c: { d: { seats: 3 }, e: { seats: 3 }, f: { seats: 3 } } } },
    ],
  },
  {
    name: "an embedded object",
    spec: object({
      template: {
        type: "object",
        ...embedded,
        ...ruled(["self.kind == 'Pod'", "self.metadata.name.startsWith('a')", "self.apiVersion == 'v1'"]),
      },
    }),
    values: [
      { template: { apiVersion: "v1", kind: "Pod", metadata: { name: "a" } } },
      { template: { apiVersion: "v1", kind: "Job", metadata: { name: "b" } } },
      { template: { apiVersion: "v2", kind: "Pod", metadata: { name: "a", labels: { x: "y" } }, spec: {} } },
      { template: { kind: "Pod" } },
      {},
    ],
  },
  {
    name: "int or string",
    spec: object({
      most: {
        "x-kubernetes-int-or-string": true,
        ...ruled([
          "type(self) == int ? self < 5 : self.endsWith('%')",
          { rule: "self == oldSelf || type(oldSelf) == int", message: "its type stays" },
        ]),
      },
    }),
    values: [{ most: 1 }, { most: "50%" }, { most: 9 }, { most: "5" }, { most: 4 }],
  },
  {
    name: "names that are escaped",
    spec: object(
      {
        "x-y": integer,
        "a.b": integer,
        "c/d": integer,
        namespace: text(),
        in: text(),
        __a__: integer,
        under_score: integer,
        $ref: integer,
      },
      "self.x__dash__y > 0 || self.a__dot__b > 0 || self.c__slash__d > 0",
      { rule: "self.__namespace__ != self.__in__", fieldPath: "['x-y']" },
      "!has(self.__underscores__a__underscores__) || self.__underscores__a__underscores__ > 1",
      "!has(self.under_score) || self.under_score == 2",
    ),
    values: [
      { "x-y": 1, namespace: "a", in: "b" },
      { "a.b": 1, namespace: "a", in: "a" },
      { "c/d": 1 },
      { "x-y": 0, "a.b": 0, "c/d": 0, namespace: "a", in: "b" },
      { "x-y": 1, namespace: "a", in: "", __a__: 1, under_score: 3 },
    ],
  },
  {
    name: "times and durations",
    spec: object(
      {
        from: text({ format: "date-time", maxLength: 40 }),
        day: text({ format: "date" }),
        every: text({ format: "duration" }),
        data: text({ format: "byte" }),
      },
      { rule: "self.from < timestamp('2022-01-01T00:00:00Z')", messageExpression: "'from ' + string(self.from)" },
      "self.day.getFullYear() == 2020",
      "self.every >= duration('1m') && self.every.getHours() < 24",
      "size(self.data) == 3",
    ),
    values: [
      { from: "2020-01-01T00:00:00Z", day: "2020-02-01", every: "1h", data: "YWJj" },
      { from: "2024-01-01T00:00:00Z", day: "2020-02-01", every: "1h", data: "YWJj" },
      { from: "2020-01-01T00:00:00+01:00", day: "2021-02-01", every: "30s", data: "YQ==" },
      { from: "2020-01-01T00:00:00Z" },
      { from: "x", every: "y" },
    ],
  },
  {
    name: "defaults and nulls",
    spec: object(
      {
        a: text({ default: "x" }),
        b: text({ nullable: true }),
        c: { ...text({ nullable: true, default: "q" }), ...ruled(["self != 'no'"]) },
      },
      "self.a != ''",
      "!has(self.b) || self.b.size() > 0",
      "self.c != 'zz'",
    ),
    values: [{}, { a: "", b: null }, { b: "", c: null }, { c: "no" }, { c: "zz", b: "x" }],
  },
  {
    name: "messages that fail",
    spec: object(
      { a: integer, b: text() },
      { rule: "self.a > 0", messageExpression: "'%s'.startsWith('a') ? '' : string(1 / self.a)", message: "fall back" },
      { rule: "self.a > 0", messageExpression: "'line\\nbreak'" },
      { rule: "self.a > 0", messageExpression: "'   '", message: "blank" },
      { rule: "self.a < 0 || self.b == self.b", messageExpression: "self.b + 'x'" },
    ),
    values: [{ a: 0 }, { a: 1, b: "a" }, { a: -1 }, { a: 1 }, { a: 0, b: "x" }],
  },
  {
    name: "quantities, URLs and patterns",
    spec: object(
      { amount: text(), link: text({ maxLength: 60 }), words: list(text(), {}) },
      "isQuantity(self.amount) && quantity(self.amount).isGreaterThan(quantity('100m'))",
      {
        rule: "isURL(self.link) && url(self.link).getScheme() == 'https'",
        messageExpression: "'scheme ' + url(self.link).getScheme()",
      },
      {
        rule: "self.words.all(w, w.find('[0-9]+') != '') && self.words.isSorted()",
        messageExpression: "self.words.map(w, w.find('[0-9]+')).join('|')",
      },
    ),
    values: [
      { amount: "1", link: "https://a/b", words: ["a1", "b2"] },
      { amount: "1m", link: "http://a", words: ["b2", "a1"] },
      { amount: "x", link: ":", words: ["a"] },
      { amount: "2Gi", link: "/x" },
      {},
    ],
  },
  {
    name: "a rule that costs too much",
    spec: object(
      { l: { type: "array", items: { type: "string" } } },
      "self.l.all(a, self.l.all(b, self.l.all(c, a + b != c)))",
    ),
    values: [],
  },
  {
    name: "rules for every sort of mistake",
    spec: object(
      { a: integer },
      "self.b > 1",
      "self.a",
      "self.a + 'x' == ''",
      { rule: "self.a > 0", messageExpression: "self.a" },
      { rule: "self.a > 0", fieldPath: ".b" },
      { rule: "self.a > 0", reason: "Nothing" },
      "",
      { rule: "true", message: "a\nb" },
      { rule: "true\n", message: " " },
      "'a'.matches('[')",
      "duration('x') > duration('1s')",
      { rule: "true", messageExpression: "duration('x') > duration('1s')" },
    ),
    values: [],
  },
];
