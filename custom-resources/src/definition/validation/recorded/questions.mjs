// Schemas with rules, of which v1.29 has been asked whether it accepts them; see record.mjs.

/** The properties of most schemas: one of every kind. */
export const wideProperties = {
  text: { type: "string" },
  shortText: { type: "string", maxLength: 10 },
  size: { type: "string", enum: ["small", "large", "très grand"] },
  count: { type: "integer" },
  ratio: { type: "number" },
  flag: { type: "boolean" },
  bytes: { type: "string", format: "byte" },
  day: { type: "string", format: "date" },
  time: { type: "string", format: "date-time" },
  lasts: { type: "string", format: "duration" },
  uri: { type: "string", format: "uri" },
  port: { "x-kubernetes-int-or-string": true },
  anything: { "x-kubernetes-preserve-unknown-fields": true },
  open: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  openPart: { type: "object", "x-kubernetes-preserve-unknown-fields": true, properties: { known: { type: "string" } } },
  nullableText: { type: "string", nullable: true },
  empty: { type: "object" },
  labels: { type: "object", additionalProperties: { type: "string" } },
  fewLabels: { type: "object", maxProperties: 5, additionalProperties: { type: "string", maxLength: 5 } },
  anyMap: { type: "object", additionalProperties: true },
  anythings: { type: "array", items: { "x-kubernetes-preserve-unknown-fields": true } },
  anythingMap: { type: "object", additionalProperties: { "x-kubernetes-preserve-unknown-fields": true } },
  names: { type: "array", items: { type: "string" } },
  fewNames: { type: "array", maxItems: 5, items: { type: "string", maxLength: 5 } },
  set: { type: "array", "x-kubernetes-list-type": "set", maxItems: 10, items: { type: "string" } },
  counts: { type: "array", items: { type: "integer" } },
  ratios: { type: "array", items: { type: "number" } },
  matrix: { type: "array", items: { type: "array", items: { type: "integer" } } },
  ports: {
    type: "array",
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["name"],
    items: {
      type: "object",
      required: ["name"],
      properties: { name: { type: "string", maxLength: 20 }, port: { type: "integer" }, tags: { type: "array", items: { type: "string" } } },
    },
  },
  byName: { type: "object", additionalProperties: { type: "object", properties: { size: { type: "integer" } } } },
  inner: { type: "object", properties: { deep: { type: "object", properties: { value: { type: "integer" } } } } },
  template: { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
  pod: { type: "object", "x-kubernetes-embedded-resource": true, properties: { spec: { type: "object", properties: { host: { type: "string" } } } } },
  namespace: { type: "string" },
  if: { type: "boolean" },
  "with-dash": { type: "string" },
  "with.dot": { type: "string" },
  "with/slash": { type: "string" },
  with__underscores: { type: "string" },
  with___three: { type: "string" },
  __dunder__: { type: "string" },
  "with space": { type: "string" },
  "1st": { type: "string" },
  "größe": { type: "string" },
  $ref: { type: "string" },
  int: { type: "integer" },
  has: { type: "string" },
};

const properties = wideProperties;
const wide = { type: "object", properties };
const root = (spec, more = {}) => ({ type: "object", properties: { spec }, ...more });
const withRules = (schema, ...rules) => ({ ...schema, "x-kubernetes-validations": rules.map((rule) => (typeof rule === "string" ? { rule } : rule)) });

/** Rules of an object with properties of every kind. */
const rules = [
  // Access by names.
  "self.text == 'a'", "self.count > 0", "self.ratio > 0.5", "self.ratio > 1", "self.flag", "!self.flag", "self.nothing", "has(self.text)", "has(self.nothing)",
  "self.__namespace__ == 'a'", "self.namespace == 'a'", "self.__if__", "self.with__dash__dash == ''", "self['with-dash'] == ''", "self.with__dot__dot == ''",
  "self.with__slash__slash == ''", "self.with__underscores__underscores == ''", "self.with__underscores == ''", "self.with__underscores___three == ''",
  "self.__underscores__dunder__underscores__ == ''", "self.__dunder__ == ''", "self.with_space == ''", "self.1st == ''", "self.größe == ''", "self.int == 1", "self.has == ''", "self.__int__ == 1",
  // Types of fields.
  "size(self.bytes) > 0", "self.bytes == b'abc'", "self.day > timestamp('2020-01-01T00:00:00Z')", "self.time.getFullYear() > 2000", "self.lasts < duration('1h')", "self.lasts < '1h'",
  "self.day == '2020-01-01'", "self.bytes == 'abc'", "self.uri.startsWith('http')", "self.port == 80", "self.port == 'http'", "type(self.port) == int ? self.port < 5 : self.port.matches('a')",
  "self.port.size() > 0", "self.port + 1 == 2", "self.anything == 1", "has(self.anything)", "self.open.x == 1", "self.openPart.known == 'a'", "self.openPart.other == 'a'",
  "self.nullableText == null", "self.nullableText != null && self.nullableText == 'a'", "self.text == null", "self.count == null", "self.empty == self.empty", "self.empty.x == 1",
  "self.size in ['small', 'large']", "self.count == 1.0", "self.count < 1.5", "self.ratio == 1", "self.count == 1u", "self.ratio + 1 > 2", "self.ratio + 1.0 > 2.0", "self.count + self.ratio > 1",
  // Maps and lists.
  "self.labels.a == 'b'", "self.labels['a'] == 'b'", "'a' in self.labels", "has(self.labels.a)", "self.labels.all(k, k.size() < 5)", "self.fewLabels.all(k, self.fewLabels[k] == 'b')", "self.labels[1] == 'a'",
  "1 in self.labels", "self.anyMap.a == 'b'", "self.anyMap['a'] == 'b'", "self.anythings.size() > 1", "self.anythingMap.size() > 1", "self.names.all(n, n == 'a')", "self.fewNames.all(n, n == 'a')", "self.fewNames.exists_one(n, n == 'a')",
  "self.names[0] == 'a'", "self.names['a'] == 'a'", "self.names == ['a']", "self.names + ['a'] == self.names", "self.set + ['a'] == self.set", "self.set == ['b', 'a']", "self.counts.sum() > 1", "self.counts.sum() > 1.0",
  "self.ratios.sum() > 1.0", "self.ratios.sum() > 1", "self.names.sum() > 1", "self.matrix[0][0] == 1", "self.matrix.all(r, r.all(c, c > 0))", "self.ports.all(p, p.port > 0)", "self.ports[0].nothing == 1", "self.ports.map(p, p.name).size() > 1",
  "self.ports.filter(p, p.port > 80)[0].name == 'a'", "self.ports.exists(p, p.name == 'a' && p.tags.all(t, t == 'b'))", "self.byName['a'].size == 1", "self.byName.a.size == 1", "self.byName.all(n, self.byName[n].size > 0)", "self.byName == self.labels",
  "self.inner.deep.value == 1", "self.inner.deep == self.inner", "self.inner == {'deep': {'value': 1}}", "self.inner.deep == dyn({'value': 1})", "self.names.isSorted()", "self.ports.isSorted()", "self.counts.max() == 1", "self.names.indexOf('a') == 1",
  // Embedded objects.
  "self.template.kind == 'Pod'", "self.template.apiVersion == 'v1'", "self.template.metadata.name == 'a'", "self.template.metadata.generateName == 'a'", "self.template.metadata.labels.a == 'b'", "self.template.spec.x == 1", "self.pod.spec.host == 'a'", "self.pod.metadata.name.size() > 1",
  // Functions and macros.
  "self.text.matches('a+')", "self.text.matches('a(')", "self.text.find('a') == 'b'", "self.text.findAll('a') == ['a']", "self.text.contains('a')", "self.text.lowerAscii() == 'a'", "self.text.split(',').size() > 1", "self.text.replace('a', 'b') == 'b'", "self.text.substring(1) == 'b'",
  "self.text.trim() == 'b'", "self.names.join(',') == 'a'", "url(self.text).getHost() == 'a'", "isURL(self.text)", "isQuantity(self.text)", "quantity(self.text).isGreaterThan(quantity('1Mi'))", "authorizer.path('/').check('get').allowed()", "request.name == 'a'", "object.spec == 1", "params.a == 1",
  "self.names.all(n, m == 'a')", "self.names.all(1, true)", "self.names.sets.contains(['a'])", "sets.contains(self.names, ['a'])", "optional.of(self.text).hasValue()", "self.?text.hasValue()", "self.?text.orValue('') == ''", "[?self.?text] == ['a']", "self.names[?0].orValue('') == ''",
  "type(self.text) == string", "type(self) == map", "type(self.ports) == list", "string(self.count) == '1'", "int(self.text) == 1", "double(self.count) == 1.0", "bool(self.text)", "uint(self.count) == 1u", "dyn(self.text) == 1", "dyn(self).nothing == 1", "timestamp(self.text) < timestamp('2020-01-01T00:00:00Z')", "duration(self.text) < duration('1h')",
  "cel.bind(x, self.text, x == 'a')", "self.text.format(['a']) == 'a'", "'%s'.format([self.text]) == 'a'", "math.greatest(1, 2) == 2", "base64.encode(self.bytes) == 'a'", "self.text.charAt(0) == 'a'", "self.text.reverse() == 'a'", "strings.quote(self.text) == 'a'", "self.names.reverse() == []", "ip('1.2.3.4') == ip('1.2.3.4')",
  // Results that are no bool, and syntax.
  "self.text", "self.count", "self", "1", "'a'", "null", "self.port", "dyn(true)", "[true]", "{'a': true}", "true", "false", "true && 'a'", "self = 42", "self.", "self.text ==", "(self.flag", "self.flag)", "self.flag &&& true", "self.text == 'a", "self.text == \"a\"", "// only a comment", "self.flag // a comment", "  self.flag  ",
  "self.flag\n&& self.flag", "self.flag ? true : 'a'", "self.flag ? 1 : 2", "!self.text", "-self.text == 'a'", "self.text + 1 == 'a'", "self.count / 0 == 1", "1 / 0 == 1", "self.text > 1", "self.flag > false", "self.names > self.names", "self.text in self.text", "self.self", "oldself.text == 'a'", "Self.text == 'a'", "undefined", "self.text()", "text(self)", "self.all(x, true)",
  // Old values.
  "self.count >= oldSelf.count", "self == oldSelf", "oldSelf.text == self.text || oldSelf.flag", "has(oldSelf.text)", "oldSelf.nothing == 1", "self.names.all(oldSelf, oldSelf == 'a')", "self.names.all(n, n in oldSelf.names)", "self.names == oldSelf.names", "oldSelf.hasValue()",
];

const cases = rules.map((rule) => root(withRules(wide, rule)));

// Messages.
const messages = [
  { messageExpression: "'text is ' + self.text" }, { messageExpression: "self.text" }, { messageExpression: "self.count" }, { messageExpression: "string(self.count)" }, { messageExpression: "self.nothing" }, { messageExpression: "'a" }, { messageExpression: "'%d'.format([self.count])" },
  { messageExpression: "" }, { messageExpression: "  " }, { messageExpression: "oldSelf.text" }, { messageExpression: "self.names.map(n, n + n).map(n, n + n).map(n, n + n).join(',')" }, { messageExpression: "dyn('a')" }, { messageExpression: "self.names.filter(x, self.names.all(y, self.names.all(z, x == y && y == z))).join(',')" },
  { message: "is wrong" }, { message: "" }, { message: " " }, { message: "two\nlines" }, { message: " trimmed \n" }, { message: "a\r" }, { message: "m", messageExpression: "'a'" },
  { reason: "FieldValueInvalid" }, { reason: "FieldValueRequired" }, { reason: "FieldValueForbidden" }, { reason: "FieldValueDuplicate" }, { reason: "" }, { reason: "Other" }, { reason: "fieldvalueinvalid" },
  ...[".text", "text", ".nothing", "['text']", "['with-dash']", ".with-dash", ".labels.a", ".labels['a.b']", ".labels.a.b", ".ports", ".ports[0]", ".inner.deep.value", ".inner.deep.nothing", ".byName.a.size", ".byName['a'].size", ".byName['a']['size']", "['it\\'s']", ".labels['it\\'s']", ".labels['it\\x']", ".labels['a", ".labels['a'", "..text", ".", "", " ", ".text\n", ".text ", "[text]", ".inner['deep'].value", ".open.x", ".anyMap.x", ".template.metadata.name", ".names", ".__namespace__", ".namespace"].map((fieldPath) => ({ fieldPath })),
  { optionalOldSelf: true }, { optionalOldSelf: false },
];
cases.push(...messages.map((more) => root(withRules(wide, { rule: "self.flag", ...more }))));
cases.push(root(withRules(wide, { rule: "" })), root(withRules(wide, { rule: "  " })), root(withRules(wide, { rule: "self.flag\n&& true", message: "m" })));
cases.push(root(withRules(wide, { rule: "self.nothing", message: "m", messageExpression: "self.nothing", reason: "FieldValueRequired", fieldPath: ".text" })));
cases.push(root(withRules(wide, "self.nothing", "self.flag", "self.text", "'a")));

// Places.
const place = (schema, rule) => root({ type: "object", properties: { at: withRules(schema, rule) } });
cases.push(
  ...["text", "shortText", "size", "count", "ratio", "flag", "bytes", "day", "time", "lasts", "port", "anything", "open", "nullableText", "empty", "labels", "names", "set", "ports", "anythings", "anyMap", "template"].flatMap((name) => [
    place(properties[name], "self == self"), place(properties[name], "self == oldSelf"), place(properties[name], "self == 1"),
  ]),
  root({ type: "array", items: withRules({ type: "string", maxLength: 5 }, "self == oldSelf") }),
  root({ type: "array", maxItems: 10, items: withRules({ type: "string", maxLength: 5 }, "self == 'a'") }),
  root({ type: "array", "x-kubernetes-list-type": "set", maxItems: 10, items: withRules({ type: "string", maxLength: 5 }, "self == oldSelf") }),
  root({ ...properties.ports, maxItems: 5, items: withRules(properties.ports.items, "self.port == oldSelf.port") }),
  root({ ...properties.ports, maxItems: 5, items: { ...properties.ports.items, properties: { ...properties.ports.items.properties, port: withRules({ type: "integer" }, "self == oldSelf") } } }),
  root({ type: "array", maxItems: 3, items: { ...properties.ports, maxItems: 5, items: withRules(properties.ports.items, "self.port == oldSelf.port") } }),
  root({ type: "object", "x-kubernetes-map-type": "atomic", properties: { a: withRules({ type: "integer" }, "self == oldSelf") } }),
  root({ type: "object", maxProperties: 5, additionalProperties: withRules({ type: "integer" }, "self == oldSelf") }),
  root({ type: "object", properties: { "with space": withRules({ type: "integer" }, "self == 1"), anything: withRules({ "x-kubernetes-preserve-unknown-fields": true }, "self == 1") } }),
  withRules({ type: "object", properties: { spec: wide } }, "self.spec.flag && self.metadata.name == 'a'"),
  withRules({ type: "object" }, "self.kind == 'A' && self.apiVersion == 'b' && self.metadata.generateName == ''"),
  withRules({ type: "object" }, "self.metadata.namespace == 'A'"),
  withRules({ type: "object", properties: { metadata: { type: "object", properties: { name: { type: "string", maxLength: 5 } } } } }, "self.metadata.name == 'A' && self.metadata.generateName == ''"),
  { type: "object", properties: { metadata: { type: "object", properties: { name: withRules({ type: "string", maxLength: 5 }, "self.startsWith('a')") } } } },
  withRules({ type: "object", properties: { metadata: { type: "object", properties: { name: withRules({ type: "string", maxLength: 5 }, "self.startsWith('a')") } } } }, "true"),
  root({ type: "object", allOf: [withRules({ properties: {} }, "true")] }),
  root({ type: "object", not: withRules({}, "true") }),
  root({ type: "object", "x-kubernetes-validations": [] }),
  root(withRules({ type: "object", properties: { a: { type: "string", pattern: "(" } } }, "self.nothing")),
  root(withRules({ type: "object", properties: { a: withRules({ type: "string" }, { rule: "self.nothing", message: "\n" }) } }, "self.nothing")),
  root(withRules({ type: "object", properties: { a: withRules({ type: "string" }, "self.nothing"), b: withRules({ type: "string" }, { rule: "true", reason: "x" }) } }, "self.nothing")),
);

// Costs.
const strings = (more = {}, item = {}) => ({ type: "array", ...more, items: { type: "string", ...item } });
const nested = "self.all(a, self.all(b, a == b))";
cases.push(
  ...[{}, { maxItems: 10 }, { maxItems: 100 }, { maxItems: 1000 }, { maxItems: 5000 }, { maxItems: 10000 }].flatMap((more) => [
    root(withRules(strings(more), "self.all(a, a == 'constant')")), root(withRules(strings(more, { maxLength: 10 }), nested)), root(withRules(strings(more), nested)),
    root(withRules(strings(more, { enum: ["a", "bb"] }), nested)), root(withRules({ type: "array", ...more, items: { type: "integer" } }, nested)), root(withRules({ type: "array", ...more, items: { type: "string", format: "date-time" } }, nested)),
    root({ type: "array", ...more, items: withRules(strings(more), "self.all(s, s == 'string constant')") }), root({ type: "array", ...more, items: withRules({ type: "string", maxLength: 64 }, "self.matches('^[a-z]+$')") }),
  ]),
  ...[{}, { maxProperties: 5 }, { maxProperties: 500 }].flatMap((more) => [
    root(withRules({ type: "object", ...more, additionalProperties: { type: "string" } }, "self.all(k, self[k] == k)")), root({ type: "object", ...more, additionalProperties: withRules({ type: "string" }, "self.contains(self)") }),
    root({ type: "object", ...more, additionalProperties: withRules({ type: "object", properties: { a: { type: "string" } } }, "self.a.contains('a')") }),
    root({ type: "object", ...more, additionalProperties: withRules({ type: "object", required: ["a", "b"], properties: { a: { type: "string" }, b: { type: "object", required: ["c"], properties: { c: { type: "string" } } } } }, "self.a.contains('a')") }),
  ]),
  root(withRules({ type: "string" }, "self.matches('^[a-z]+$')")), root(withRules({ type: "string", maxLength: 100000 }, "self.matches('^[a-z]+$')")), root(withRules({ type: "string", maxLength: -1 }, "self.matches('^[a-z]+$')")),
  root({ type: "array", maxItems: 3000, items: withRules({ type: "string", maxLength: 4000 }, "self.contains('abc')", "self.contains('abcd')", "self.contains('abcdef')") }),
  root({ type: "object", properties: Object.fromEntries(["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n"].map((name, index) => [name, withRules(strings({ maxItems: 1000 - index }, { maxLength: 5 }), "self.all(a, self.all(b, self.exists(c, c == 'a') || true))".replace("self.exists(c, c == 'a')", "a == b"))])) }),
  root({ type: "object", properties: Object.fromEntries([..."abcdefghijklmnopqrst"].map((name, index) => [name, withRules({ type: "array", maxItems: 1100 - index, items: { type: "integer" } }, nested)])) }),
  root(withRules({ type: "object", properties: { a: strings(), b: strings() } }, { rule: "true", messageExpression: "self.a.all(x, self.b.all(y, x == y)) ? 'a' : 'b'" })),
  root({ type: "object", properties: { a: { type: "array", maxItems: 1000, items: withRules({ type: "object", properties: { b: strings({ maxItems: 100 }) } }, { rule: "true", messageExpression: "self.b.all(x, x == 'a') ? 'a' : 'b'" }) } } }),
  root(withRules(wide, "self.names.all(a, self.counts.all(b, string(b) == a))", "self.ports.all(p, self.ports.all(q, p == q))", "self.byName.all(n, n.contains(self.text))")),
  root(withRules({ type: "object", properties: { port: { "x-kubernetes-int-or-string": true } } }, "string(self.port).matches('a+')")),
  root(withRules({ ...properties.ports }, "self.all(p, self.exists_one(q, q.name == p.name))")), root(withRules({ ...properties.ports, maxItems: 16 }, "self.all(p, self.exists_one(q, q.name == p.name))")),
);

// Defaults.
cases.push(
  root({ type: "object", properties: { a: withRules({ type: "integer", default: 1 }, "self > 0") } }), root({ type: "object", properties: { a: withRules({ type: "integer", default: 0 }, "self > 0") } }),
  root({ type: "object", default: { a: 0 }, properties: { a: withRules({ type: "integer" }, { rule: "self > 0", message: "must be positive", reason: "FieldValueForbidden" }) } }),
  root(withRules({ type: "object", default: { a: 0 }, properties: { a: { type: "integer" } } }, { rule: "self.a > 0", fieldPath: ".a" })), root({ type: "object", properties: { a: withRules({ type: "integer", default: 0 }, "self.nothing > 0") } }),
  root({ type: "object", properties: { a: withRules({ type: "integer", default: 0 }, "self > oldSelf") } }), root({ type: "object", properties: { a: withRules({ type: "integer", default: 1 }, "1 / (self - 1) > 0") } }),
  root(withRules({ type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true, default: { kind: "A", apiVersion: "v1", metadata: { name: "b" } } }, "self.metadata.name == 'a'")),
);

export const definitions = cases;
