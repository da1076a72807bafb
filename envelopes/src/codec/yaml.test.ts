import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { DecodeError } from "../errors.js";
import type { JsonValue } from "../json/json.js";
import { encodeYaml, encodeYamlChunks } from "./encode-yaml.js";
import { parseYaml, parseYamlSteps } from "./parse-yaml.js";
import { YamlReader } from "./yaml/reader.js";

const scalars: readonly (readonly [string, JsonValue])[] = [
  ["yes", true],
  ["On", true],
  ["y", true],
  ["off", false],
  ["N", false],
  ["TRUE", true],
  ["tRUE", "tRUE"],
  ['"yes"', "yes"],
  ["'no'", "no"],
  ["!!str yes", "yes"],
  ['!!int "5"', 5],
  ["~", null],
  ["null", null],
  ["", null],
  ["12", 12],
  ["-12", -12],
  ["+12", 12],
  ["1_000", 1000],
  ["0755", 493],
  ["0o17", 15],
  ["0x1F", 31],
  ["0b101", 5],
  ["0b-101", -5],
  ["0b+1", 1],
  ["-0b-1", "-0b-1"],
  ["08", 8],
  ["1.5", 1.5],
  [".5", 0.5],
  ["1e3", 1000],
  ["9007199254740993", 9007199254740993n],
  ["18446744073709551616", 18446744073709552000],
  ["1:30", "1:30"],
  ["2024-01-01", "2024-01-01"],
  ["1.2.3", "1.2.3"],
  ["0x", "0x"],
  ["-", "-"],
  ["v1", "v1"],
];

for (const [text, expected] of scalars) {
  test(`the YAML scalar ${JSON.stringify(text)} is ${typeof expected} ${expected}`, async () => {
    const source = text === "-" ? 'a: "-"' : `a: ${text}`;
    assert.deepEqual((await parseYaml(source)).value, { a: expected });
  });
}

test("keys become text, as JSON wants them", async () => {
  const { value } = await parseYaml("1: a\ntrue: b\n1.5: c\nyes: d\n");
  assert.deepEqual(value, { "1": "a", true: "d", "1.5": "c" });
});

test("anchors and merge keys are resolved where they stand: what comes later counts, and is told of", async () => {
  const { value, duplicateKeys } = await parseYaml(
    "base: &b {p: 1,\n  q: 2}\nuse:\n  <<: *b\n  q: 3\nother:\n  q: 3\n  <<: [*b, {q: 4, r: 5}]\nagain: *b\n",
  );
  const base = { p: 1, q: 2 };
  assert.deepEqual(value, { base, use: { p: 1, q: 3 }, other: { q: 2, r: 5, p: 1 }, again: base });
  assert.deepEqual(duplicateKeys, [
    'line 5: key "q" already set in map',
    'line 8: key "q" already set in map',
    'line 2: key "q" already set in map',
  ]);
});

test("what is told of a key given twice is its value's line, and the key in Go's syntax", async () => {
  const { duplicateKeys } = await parseYaml("5: a\n5:\n\n  b\nyes: a\ntrue: b\n1.5: a\n1.50:\n");
  assert.deepEqual(duplicateKeys, [
    "line 4: key 5 already set in map",
    "line 6: key true already set in map",
    "line 8: key 1.5 already set in map",
  ]);
});

test("keys given twice are reported, and the last one counts", async () => {
  const parsed = await parseYaml("spec:\n  replicas: 1\n  items:\n  - a: 1\n    a: 2\n  replicas: 3\n");
  assert.deepEqual(parsed.value, { spec: { replicas: 3, items: [{ a: 2 }] } });
  assert.deepEqual(parsed.duplicateKeys, [
    'line 5: key "a" already set in map',
    'line 6: key "replicas" already set in map',
  ]);
});

test("aliases add no more text than a body may have, and what they have added is told", async () => {
  const text = "x".repeat(1024);
  const repeated = (count: number): string => `a: &a ${text}\nb:\n${"- *a\n".repeat(count)}`;
  const most = repeated(3 * 1024);
  assert.equal((await parseYaml(most)).length, most.length + 3 * 1024 * 1024);
  await assert.rejects(
    parseYaml(repeated(3 * 1024 + 1)),
    new DecodeError("yaml: document contains excessive aliasing"),
  );
  const nested = `a: &a {k: ${text}}\nb: &b [*a, *a]\nc: &c [*b, *b]\n${"d: {<<: *a}\n"}`;
  assert.equal((await parseYaml(nested)).length, nested.length + (2 + 4 + 1) * (1 + text.length));
});

test("only the first document is read", async () => {
  assert.deepEqual((await parseYaml("a: 1\n---\nb: [\n")).value, { a: 1 });
  assert.equal((await parseYaml("")).value, null);
  assert.equal((await parseYaml("# nothing\n")).value, null);
});

test("JSON is YAML", async () => {
  assert.deepEqual((await parseYaml('{"a":[1,"yes",null,true],"b":{"c":"\\u00e9"}}')).value, {
    a: [1, "yes", null, true],
    b: { c: "é" },
  });
});

test("__proto__ is a key like any other", async () => {
  const { value } = await parseYaml("__proto__:\n  polluted: true\n");
  assert.ok(Object.hasOwn(value as object, "__proto__"));
  assert.equal(({} as { polluted?: boolean }).polluted, undefined);
});

test("aliases that unfold without measure are refused", async () => {
  const lines = ["a0: &a0 [x,x,x,x,x,x,x,x,x,x]"];
  for (let i = 1; i < 10; i++) {
    lines.push(
      `a${i}: &a${i} [${Array(10)
        .fill(`*a${i - 1}`)
        .join(",")}]`,
    );
  }
  await assert.rejects(parseYaml(lines.join("\n")), { message: "yaml: document contains excessive aliasing" });
  await assert.rejects(parseYaml("a: &a [*a]"), DecodeError);
  await assert.rejects(parseYaml("a: *b"), { message: "yaml: unknown anchor 'b' referenced" });
});

test("nesting without end is refused before it exhausts the stack", async () => {
  for (const text of ["[".repeat(100_000), "- ".repeat(100_000), "{a: ".repeat(100_000), "? ".repeat(100_000)]) {
    await assert.rejects(parseYaml(text), { name: DecodeError.name, message: "yaml: exceeded max depth" });
  }
});

test("broken YAML names its line", async () => {
  await assert.rejects(parseYaml("a: 1\nb: [1,\n"), /^DecodeError: yaml: line \d+: /);
  await assert.rejects(parseYaml("a: .inf"), { message: "json: unsupported value: +Inf" });
});

test("objects are written as kube-apiserver writes them", () => {
  const value = {
    kind: "Pod",
    apiVersion: "v1",
    metadata: {
      name: "web",
      creationTimestamp: "2024-01-01T00:00:00Z",
      labels: { a10: "1", a9: "true", b: "yes", n: "no" },
      annotations: { empty: "", star: "*x", quote: "it's: so", tab: "a\tb", lines: "one\ntwo\n", open: "one\ntwo" },
    },
    spec: { containers: [{ name: "a", args: ["-x", "--y=1"], env: [] }, { name: "b" }], lists: [[1, 2], []] },
    status: {},
    nothing: null,
    number: 5,
    small: 1.5e-7,
  };
  assert.equal(
    encodeYaml(value),
    `apiVersion: v1
kind: Pod
metadata:
  annotations:
    empty: ""
    lines: |
      one
      two
    open: |-
      one
      two
    quote: 'it''s: so'
    star: '*x'
    tab: "a\\tb"
  creationTimestamp: "2024-01-01T00:00:00Z"
  labels:
    a9: "true"
    a10: "1"
    b: "yes"
    "n": "no"
  name: web
nothing: null
number: 5
small: 1.5e-07
spec:
  containers:
  - args:
    - -x
    - --y=1
    env: []
    name: a
  - name: b
  lists:
  - - 1
    - 2
  - []
status: {}
`,
  );
});

/** Values, and what v1.29.0 wrote for them under a key `spec`. */
const written: readonly (readonly [what: string, spec: JsonValue, yaml: string])[] = [
  [
    "texts that look like times and are none are plain",
    {
      a: "2024-13-45",
      b: "2024-01-01 00:00:00 +02:00",
      c: "2024-01-01t1:2:3",
      d: "2024-02-30",
      "2024-01-01T25:00:00Z": 0,
    },
    "  2024-01-01T25:00:00Z: 0\n  a: 2024-13-45\n  b: 2024-01-01 00:00:00 +02:00\n  c: 2024-01-01t1:2:3\n  d: 2024-02-30\n",
  ],
  [
    "texts that are times are quoted",
    { x: "2024-01-02", y: "2024-1-2", z: "2024-01-02 1:2:3.5" },
    '  x: "2024-01-02"\n  "y": "2024-1-2"\n  z: "2024-01-02 1:2:3.5"\n',
  ],
  [
    "a value stands behind the colon of a key of several lines",
    { "a\nb": { c: 1, d: [1] }, "ü\u2028": ["a", { b: [] }], "c\r": "x", d: { "e\u2029f": {} } },
    `  ? |-
    a
    b
  : c: 1
    d:
    - 1
  ? "c\\r"
  : x
  d:
    ? 'e\u2029      f'
    : {}
  ? 'ü\u2028'
  : - a
    - b: []
`,
  ],
  [
    "Unicode's line breaks stand for themselves, with spaces before what follows",
    { a: "x\u2028y", b: "\u2029", c: "x\ny\u2028", d: " \u2028", e: "\u2028 x", f: "'\u2028'#" },
    `  a: 'x\u2028    y'
  b: '\u2029'
  c: |
    x
    y\u2028  d: " \\L"
  e: "\\L x"
  f: '''\u2028    ''#'
`,
  ],
  [
    "all characters behind a byte order mark are escaped",
    { a: "\ufeffx \u00a0é", b: "x\ufeff \u00a0", c: "\ufeff" },
    '  a: "\\uFEFF\\x78\\x20\\_\\xE9"\n  b: "x\\uFEFF \u00a0"\n  c: "\\uFEFF"\n',
  ],
  [
    "only integers of base 2 have a sign behind their mark",
    { a: "<<", b: "0b-1", c: "-0b-1", d: "0b+1" },
    '  a: <<\n  b: "0b-1"\n  c: -0b-1\n  d: "0b+1"\n',
  ],
  [
    "numbers other than integers of 64 bits have an exponent from a million on",
    [123456789.5, 1e20, 1.5, 0.0001, 0.00001, -1.25e-10, 2 ** 64, 9223372036854776000n, 1e300, 100000.5, 1234567.25],
    ["1.234567895e+08", "1e+20", "1.5", "0.0001", "1e-05", "-1.25e-10", "1.8446744073709552e+19", "9223372036854776000"]
      .concat("1e+300", "100000.5", "1.23456725e+06")
      .map((number) => `- ${number}\n`)
      .join(""),
  ],
];

for (const [what, spec, yaml] of written) {
  test(`${what}, as v1.29 writes YAML`, async () => {
    assert.equal(encodeYaml({ spec }), `spec:\n${yaml}`);
    assert.deepEqual((await parseYaml(`spec:\n${yaml}`)).value, { spec });
  });
}

test("a key that would be read as a merge is quoted, which v1.29 does not", async () => {
  assert.equal(encodeYaml({ "<<": { a: 1 } }), '"<<":\n  a: 1\n');
});

test("long text is folded at column 80", () => {
  assert.equal(
    encodeYaml({ message: "word ".repeat(20).trim() }),
    `message: ${"word ".repeat(15).trim()}\n  ${"word ".repeat(5).trim()}\n`,
  );
});

test("what is written is read back", async () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({
      unit: fc.constantFrom(..."a \n:#-'\"\\\té0\r\u0085\u2028\u2029\ufeff\u00a0", "\u{1F600}"),
    }),
    fc.constantFrom("yes", "1:30", "0x1", "~", "<<", "2024-01-01", "1e3", "x ".repeat(100), "---", "'", "|", "\u2028"),
  );
  const { tree } = fc.letrec<{ tree: JsonValue }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      text,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie("tree"), { maxLength: 3 }),
      fc.dictionary(text, tie("tree"), { maxKeys: 3, noNullPrototype: true }),
    ),
  }));
  await fc.assert(
    fc.asyncProperty(tree, async (value) => {
      assert.deepEqual((await parseYaml(encodeYaml(value))).value, value);
    }),
    { numRuns: 500 },
  );
});

test("the time to write a list grows with its length, and it comes in pieces", () => {
  const item = (name: string): JsonValue => ({
    metadata: { name, labels: { app: "web" } },
    data: { "file.conf": "one\ntwo words in a line\n".repeat(20), long: "word ".repeat(60).trim() },
  });
  const list = (length: number): JsonValue => ({ items: Array.from({ length }, (_, i) => item(`cm-${i}`)) });
  const started = process.cpuUsage();
  const chunks = [...encodeYamlChunks(list(4_000))];
  // About 200 ms; it was minutes.
  assert.ok(process.cpuUsage(started).user < 5e6);
  assert.equal(chunks.join(""), encodeYaml(list(4_000)));
  assert.ok(chunks.length > 10 && chunks.every((chunk) => chunk.length < 70_000));
});

test("keys stand in natural order", () => {
  const keys = ["1", "2", "10", "a", "a1", "a2", "a10", "a010", "b", "É", "😀", "_"];
  const written = encodeYaml(Object.fromEntries(keys.map((key) => [key, 0])));
  const order = [...written.matchAll(/^(.*): 0$/gm)].map(([, key]) => key?.replaceAll('"', ""));
  // What has no digits counts as zero.
  assert.deepEqual(order, ["_", "\\U0001F600", "1", "2", "10", "a", "a1", "a2", "a10", "a010", "b", "É"]);
});

const unsupportedNull = "Unsupported map key of type: %!s(<nil>), key: <nil>, value: ";
const unsupportedList = '[]interface {}{"c", 1.5, true, interface {}(nil)}';

// What kube-apiserver v1.29.0 answers.
const refused: readonly (readonly [text: string, message: string])[] = [
  ["a: b: c\n", "yaml: mapping values are not allowed in this context"],
  ["a: 1\nb: c: d\n", "yaml: line 2: mapping values are not allowed in this context"],
  ["a: b\n  c: d\n", "yaml: line 2: mapping values are not allowed in this context"],
  ["a: 1\nb: [1,\n", "yaml: line 2: did not find expected node content"],
  ["a: [1\n", "yaml: line 1: did not find expected ',' or ']'"],
  ["a: {b: c\n", "yaml: line 1: did not find expected ',' or '}'"],
  ["a: {b: c", "yaml: line 1: did not find expected ',' or '}'"],
  ["x: y\na: {b: c", "yaml: line 2: did not find expected ',' or '}'"],
  ["k: {b: c]\n", "yaml: did not find expected ',' or '}'"],
  ["a:\n\t- b\n", "yaml: line 2: found character that cannot start any token"],
  ["x: y\na:\n\tb: c\n", "yaml: line 3: found character that cannot start any token"],
  ["a: @b\n", "yaml: found character that cannot start any token"],
  ["a: &a [*a]\n", "yaml: anchor 'a' value contains itself"],
  ["- a\nb: c\n", "yaml: line 1: did not find expected '-' indicator"],
  ["- - a\n - b\n", "yaml: line 1: did not find expected '-' indicator"],
  ["a: 1\n- b\n", "yaml: line 1: did not find expected key"],
  ["a:\n  b: 1\n c: 2\n", "yaml: line 2: did not find expected key"],
  ["a: 'b' c\n", "yaml: did not find expected key"],
  ["a: - b\n", "yaml: block sequence entries are not allowed in this context"],
  ["a: 'x\n", "yaml: line 2: found unexpected end of stream"],
  ['q: 1\na: "\\q"\n', "yaml: line 2: found unknown escape character"],
  ['a: "\\ud800"\n', "yaml: found invalid Unicode character escape code"],
  ["metadata:\n  name: x\nabc\n", "yaml: line 4: could not find expected ':'"],
  ["%YAML 1.1\na: b\n", "yaml: line 1: did not find expected <document start>"],
  ["a: !e!x b\n", "yaml: found undefined tag handle"],
  ["a: |3x\n b\n", "yaml: did not find expected comment or line break"],
  ["a: 1\nb: \u0001b\n", "yaml: control characters are not allowed"],
  ["<<: 1\n", "yaml: map merge requires map or sequence of maps as the value"],
  ["a: !!binary x\n", "yaml: !!binary value contains invalid base64 data"],
  ["a: !!int x\n", "yaml: cannot decode !!str `x` as a !!int"],
  ["a: !!int 1e3\n", "yaml: cannot decode !!float `1e3` as a !!int"],
  ["a: !!int\nb: 1\n", "yaml: cannot decode !!null `` as a !!int"],
  ["a: !!float 18446744073709551615\n", "yaml: cannot decode !!int `18446744073709551615` as a !!float"],
  ["a: !!timestamp 2024-02-30\n", "yaml: cannot decode !!str `2024-02-30` as a !!timestamp"],
  ["a: !!binary 'aG k='\n", "yaml: !!binary value contains invalid base64 data"],
  ["a: \u0080\n", "yaml: control characters are not allowed"],
  ["a: b\u2028c\n", "yaml: line 3: could not find expected ':'"],
  // What is wrong with the text comes before what is wrong with its values, and keys that JSON does not have come last.
  ["a: !!int x\nb: *c\n", "yaml: unknown anchor 'c' referenced"],
  ["{a: .nan, ~: 1, [b]: 2}\n", 'yaml: invalid map key: []interface {}{"b"}'],
  ["a: .nan\n~: {b: [c, 1.5, yes, ~]}\n", `${unsupportedNull}map[interface {}]interface {}{"b":${unsupportedList}}`],
  ["? ~\n", `${unsupportedNull}<nil>`],
  ["18446744073709551615: 1\n", "Unsupported map key of type: uint64, key: 0xffffffffffffffff, value: 1"],
  ["a: [1, {b: -.inf}]\n", "json: unsupported value: -Inf"],
  ["a: b\n[c]: d\n", 'yaml: invalid map key: []interface {}{"c"}'],
  ["{c: d}: e\n", 'yaml: invalid map key: map[interface {}]interface {}{"c":"d"}'],
  ["a: &x [b]\nc: {<<: *x}\n", "yaml: map merge requires map or sequence of maps as the value"],
  // A node has one anchor and one tag. Those above the first key of a map are the map's.
  ["a: &x &y 1\nb: 2\n", "yaml: did not find expected key"],
  ["a: &x\n  &y 1\nb: 2\n", "yaml: line 1: did not find expected key"],
  ["a: !!str\n  !!str two\n  lines\nb: 2\n", "yaml: line 1: did not find expected key"],
  ["a: !!str &x\n  &y 1\n", "yaml: line 1: did not find expected key"],
  ["a: !!str\n  &x\n  !!int 1\n", "yaml: line 2: did not find expected key"],
  ["a: &x\n  &y\n  b: 1\n", "yaml: line 1: did not find expected key"],
  ["a: &x\n  &y\nb: 1\n", "yaml: line 1: did not find expected key"],
  ["a: &x\n\n  &y [1]\nb: 2\n", "yaml: line 2: did not find expected key"],
  ["a: &x\n  &y |\n   t\n", "yaml: line 1: did not find expected key"],
  ["- &x\n  &y 1\n- 2\n", "yaml: line 1: did not find expected '-' indicator"],
  ["a:\n- &x\n  &y 1\n", "yaml: line 2: did not find expected key"],
  ["[&x &y 1]\n", "yaml: did not find expected ',' or ']'"],
  ["{a: &x &y}\n", "yaml: did not find expected ',' or '}'"],
  ["{&x *y : 1}\n", "yaml: did not find expected ',' or '}'"],
  ["a:\n- [1] 2\n", "yaml: line 1: did not find expected key"],
  // A token that cannot be read is found before its place is looked at.
  ["- a\n'\n", "yaml: line 3: found unexpected end of stream"],
  ["- a\n& b\n", "yaml: line 2: did not find expected alphabetic or numeric character"],
  ["a: b\n|c\n", "yaml: line 2: did not find expected comment or line break"],
  ["- :\n", "yaml: did not find expected key"],
  ["a: :\n", "yaml: mapping values are not allowed in this context"],
  ["{a\n : b}\n", "yaml: line 1: did not find expected ',' or '}'"],
  ["a: !<tag:`>\n", "yaml: did not find the expected '>'"],
  ["%YAML 1.2\n---\na: b\n", "yaml: found incompatible YAML document"],
  ["%YAML 1.1\n%YAML 1.1\n---\na: b\n", "yaml: line 1: found duplicate %YAML directive"],
  ["%YAML\n---\n", "yaml: did not find expected version number"],
  ["%YAML 1\n---\n", "yaml: did not find expected digit or '.' character"],
  ["%YAML 1.1 x\n---\n", "yaml: did not find expected comment or line break"],
  ["%TAG !\n---\n", "yaml: did not find expected whitespace"],
  ["%TAG x y\n---\n", "yaml: did not find expected '!'"],
  ["%FOO\n---\n", "yaml: found unknown directive name"],
  ["%FO?O\n---\n", "yaml: found unexpected non-alphabetical character"],
  ["a: b\n%FOO\n", "yaml: line 2: found unknown directive name"],
];

for (const [text, message] of refused) {
  test(`the YAML ${JSON.stringify(text)} fails with: ${message}`, async () => {
    await assert.rejects(parseYaml(text), { name: DecodeError.name, message });
  });
}

const keysOfDoubles = { "1.8446744e+19": 1, "1e-05": 2, ".inf": 3, "1.6777218e+07": 4, "._5": 5 };

const read: readonly (readonly [text: string, value: JsonValue])[] = [
  ["? a\n: b\n? c\n", { a: "b", c: null }],
  ["- ? a\n  : b\n", [{ a: "b" }]],
  ["{a: b, ? c, d}", { a: "b", c: null, d: null }],
  ["[a: b, ? c : d, {e: f}]", [{ a: "b" }, { c: "d" }, { e: "f" }]],
  ["&a a: &b b\nc: *a\nd: *b\n", { a: "b", c: "a", d: "b" }],
  ["a:\n  &x\n  b: c\nd: *x\n", { a: { b: "c" }, d: { b: "c" } }],
  ["a:\n- b\n-\n  c: d\ne: f\n", { a: ["b", { c: "d" }], e: "f" }],
  ["a: x # c\nb:\t1\n", { a: "x", b: 1 }],
  ["a: b\r\nc: d\r\n", { a: "b", c: "d" }],
  ["a: {b:1, 'c':2, \"d\":3}\n", { a: { "b:1": null, c: 2, d: 3 } }],
  ["a: one\n  two\n\n  three\n", { a: "one two\nthree" }],
  ['a: "one\n  two\\\n   three"\n', { a: "one twothree" }],
  ["a: >-\n  x\n  y\n\n    z\n  w\n", { a: "x y\n\n  z\nw" }],
  ["a: |2\n   x\n", { a: " x\n" }],
  ["a: !foo 2\nb: !!str 1\nc: !!binary aGk=\n", { a: "2", b: "1", c: "hi" }],
  ["{18446744073709551616: 1, 0.00001: 2, .inf: 3, 16777217.5: 4, ._5: 5}\n", keysOfDoubles],
  ["a: [!b, 1, &c, *c, !!str ]\n", { a: ["1", null, null, ""] }],
  ["a: !!timestamp 2024-1-1t1:2:3.5Z\nb: !!null\n", { a: "2024-1-1t1:2:3.5Z", b: null }],
  ["{!!merge <<: {a: 1}, '<<': 2}\n", { a: 1, "<<": 2 }],
  ["a: 'b\u0085c'\nd: \"e \u2028 f\"\ng: |\n  h\u2029  i\n", { a: "b c", d: "e\u2028f", g: "h\u2029i\n" }],
  ["a: 1\na: {~: .nan}\na: 2\n", { a: 2 }],
  ["a: 1\n%YAML 1.1\nb: 2\n", { a: 1 }],
];

for (const [text, value] of read) {
  test(`the YAML ${JSON.stringify(text)} is ${JSON.stringify(value)}`, async () => {
    assert.deepEqual((await parseYaml(text)).value, value);
  });
}

/** Documents with properties on lines of their own, and what yaml.v2 reads. */
const propertiesAbove: readonly (readonly [string, JsonValue])[] = [
  ["a: !!str\n  5\n", { a: "5" }],
  ["!!str\n5\n", "5"],
  ["a: !!str\n  &y 5\nb: *y\n", { a: "5", b: "5" }],
  ["- !!binary\n  YQ==\n", ["a"]],
  ["a: !!str\n  &y k: 5\n", { a: { k: 5 } }],
  ["a: &x\n  &y k: 5\nb: *x\nc: *y\n", { a: { k: 5 }, b: { k: 5 }, c: "k" }],
  ["a: !!map\n  &x\n  k: 5\nb: *x\n", { a: { k: 5 }, b: { k: 5 } }],
  ["- !!seq # comment\n\n  &x\n  - 1\n- *x\n", [[1], [1]]],
  ["a: !!str\n  &x\nb: *x\n", { a: "", b: "" }],
];

for (const [text, value] of propertiesAbove) {
  test(`the YAML ${JSON.stringify(text)} has properties above what they belong to`, async () => {
    assert.deepEqual((await parseYaml(text)).value, value);
  });
}

test("a tag above a scalar that it does not fit is told", async () => {
  await assert.rejects(parseYaml("a: !!int\n  'x'\n"), { message: "yaml: cannot decode !!str `x` as a !!int" });
});

test("hostile YAML takes time in proportion to its length, and lets others run in between", async () => {
  const size = 1024 * 1024;
  const texts = [
    `a: &a x\nb:\n${"- *a\n".repeat(16_000)}`,
    `a: &a {${Array.from({ length: 1_000 }, (_, i) => `k${i}: 1`).join()}}\nb:\n${"- <<: *a\n".repeat(5_000)}`,
    ...["a,", "&a ", "!!str ", "[],", "'", '"\\\n', "%", "? "].map(
      (piece) => `a: [${piece.repeat(size / piece.length)}`,
    ),
    ...["- a\n", "a: 1\n", "# c\n", "---\n", "? a\n", "%TAG !e! x\n", "a\n", "\n", "\t", ":", "-"].map((piece) =>
      piece.repeat(size / piece.length),
    ),
    ...["|\n", ">\n", '"', "'", ""].map((style) => `a: ${style}${"  x\n".repeat(size / 4)}`),
    `a: "${"\\\n".repeat(size / 2)}"`,
    `a: !!binary |\n${"\n".repeat(size)}  !\n`,
  ];
  for (const text of texts) {
    const started = process.cpuUsage();
    await parseYaml(text).catch((error) => assert.ok(error instanceof DecodeError, String(error)));
    // A tenth of a second; anything quadratic takes minutes.
    assert.ok(process.cpuUsage(started).user < 5e6, text.slice(0, 20));
  }
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  try {
    await parseYaml(Array.from({ length: 90_000 }, (_, i) => `k${i}: some text\n`).join(""));
  } finally {
    clearInterval(timer);
  }
  assert.ok(turns > 1, String(turns));
});

test("a short text that stands for a large value is read in many steps", () => {
  const text = `a: &a [${"x,".repeat(400)}x]\nb: [${"*a,".repeat(200)}*a]\n`;
  let steps = 1;
  for (const _pause of parseYamlSteps(text)) {
    steps++;
  }
  assert.ok(steps > 3, `${steps} steps`);
});

test("a block scalar of many lines is read in steps of some lines each", () => {
  for (const [indicator, expected] of [
    ["|", "v\n".repeat(6400)],
    [">", `${"v ".repeat(6399)}v\n`],
  ] as const) {
    const reader = new YamlReader(`x: &a ${indicator}\n${"  v\n".repeat(6400)}z: *a\n`);
    let steps = 0;
    while (!reader.isDone) {
      reader.step();
      steps++;
    }
    assert.deepEqual(reader.value, { x: expected, z: expected });
    assert.ok(steps > 100, `${steps} steps`);
  }
});
