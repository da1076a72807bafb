import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { SelectorError } from "../errors.js";
import { labelSelectorOf, matchNothing, parseLabelSelector } from "./label-selector.js";

const canonical: readonly [text: string, expected: string][] = [
  ["", ""],
  ["  ", ""],
  ["a=b", "a=b"],
  ["x=a,y=b,z=c", "x=a,y=b,z=c"],
  ["z,y,x", "x,y,z"],
  ["x==a", "x==a"],
  ["x!=a", "x!=a"],
  [" a = b , c ", "a=b,c"],
  ["x=", "x="],
  ["x=,y=1", "x=,y=1"],
  ["!x", "!x"],
  ["x in (b,a)", "x in (a,b)"],
  ["x in(a,a)", "x in (a)"],
  ["x notin ()", "x notin ()"],
  ["x in (,)", "x in ()"],
  ["x in (a,,b)", "x in (,a,b)"],
  ["x in (,a)", "x in (,a)"],
  ["x in (a,)", "x in (,a)"],
  ["in in (in,notin)", "in in (in,notin)"],
  ["notin=in", "notin=in"],
  ["x>1", "x>1"],
  ["x<5", "x<5"],
];

for (const [text, expected] of canonical) {
  test(`${JSON.stringify(text)} means ${JSON.stringify(expected)}`, () => {
    assert.equal(String(parseLabelSelector(text)), expected);
    assert.equal(String(parseLabelSelector(expected)), expected);
  });
}

const qualified =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const value =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

const rejected: readonly [text: string, message: string][] = [
  ["a b", "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
  ["x=a||y=b", `unable to parse requirement: values[0][x]: Invalid value: "a||y": ${value}`],
  ["x==a==b", "found '==', expected: ',' or 'end of string'"],
  ["!x=a", "found '=', expected: ',' or 'end of string'"],
  [
    "x<a",
    `unable to parse requirement: values[0]: Invalid value: "a": for 'Gt', 'Lt' operators, the value must be an integer`,
  ],
  [
    "x>9223372036854775808",
    `unable to parse requirement: values[0]: Invalid value: "9223372036854775808": for 'Gt', 'Lt' operators, the value must be an integer`,
  ],
  ["x,", "found '', expected: identifier after ','"],
  [",x", "found ',', expected: !, identifier, or 'end of string'"],
  ["!", "unable to parse requirement: found '', expected: identifier"],
  ["x in a", "unable to parse requirement: found 'a' expected: '('"],
  ["x in (a", "unable to parse requirement: found '', expected: ',' or ')'"],
  ["x in (a b)", "unable to parse requirement: found 'b', expected: ',' or ')'"],
  ["x in (=)", "unable to parse requirement: found '=', expected: ',', ')' or identifier"],
  ["x in (a,=)", "unable to parse requirement: found '=', expected: ',', or identifier"],
  ["x=)", "unable to parse requirement: found ')', expected: identifier"],
  ["x exists", "unable to parse requirement: found 'exists', expected: in, notin, =, ==, !=, gt, lt"],
  ["-x=a", `unable to parse requirement: <nil>: Invalid value: "-x": name part ${qualified}`],
  // A NUL character ends the text, but for one that ends a token.
  ["x\0/=1", "unable to parse requirement: found '/', expected: in, notin, =, ==, !=, gt, lt"],
  ["x in (a\0b)", "unable to parse requirement: found 'b', expected: ',' or ')'"],
  ["x in (a,\0\0b)", "unable to parse requirement: found '', expected: ',', or identifier"],
  ["x in (a,,)", "unable to parse requirement: found ')', expected: ',', or identifier"],
  ["x in (,,)", "unable to parse requirement: found ')', expected: ',', or identifier"],
  ["x in (a/b)", `unable to parse requirement: values[0][x]: Invalid value: "a/b": ${value}`],
];

for (const [text, message] of rejected) {
  test(`${JSON.stringify(text)} is rejected`, () => {
    assert.throws(
      () => parseLabelSelector(text),
      (error) => {
        assert.ok(error instanceof SelectorError);
        assert.equal(error.message, message);
        return true;
      },
    );
  });
}

const matching: readonly [selector: string, labels: Record<string, string> | undefined, expected: boolean][] = [
  ["", {}, true],
  ["", undefined, true],
  ["x=y", { x: "y" }, true],
  ["x=y", { x: "z" }, false],
  ["x=y", undefined, false],
  ["x=", {}, false],
  ["x=", { x: "" }, true],
  ["x!=y", {}, true],
  ["x!=y", { x: "y" }, false],
  ["x in (a,b)", { x: "b" }, true],
  ["x in (a,b)", {}, false],
  ["x notin (a,b)", {}, true],
  ["x notin (a,b)", { x: "a" }, false],
  ["x", { x: "" }, true],
  ["!x", { x: "" }, false],
  ["constructor", {}, false],
  ["!toString", {}, true],
  ["x>1", { x: "2" }, true],
  ["x>1", { x: "1" }, false],
  ["x<1", { x: "0" }, true],
  ["x<9223372036854775807", { x: "9223372036854775806" }, true],
  ["x<1", { x: "one" }, false],
  ["x>1", {}, false],
  ["x=a,y=b", { x: "a", y: "b" }, true],
  ["x=a,y=b", { x: "a" }, false],
  ["x in (a,,,)", { x: "" }, true],
  ["x in (a,,b)", { x: "" }, true],
  ["x in (,)", { x: "" }, true],
  ["x\0=\0a\0\0,y=b", { x: "a" }, true],
];

for (const [selector, labels, expected] of matching) {
  test(`${JSON.stringify(selector)} ${expected ? "matches" : "does not match"} ${JSON.stringify(labels)}`, () => {
    assert.equal(parseLabelSelector(selector).matches(labels), expected);
  });
}

test("a selector object combines labels and expressions", () => {
  const selector = labelSelectorOf({
    matchLabels: { app: "web" },
    matchExpressions: [
      { key: "tier", operator: "In", values: ["b", "a"] },
      { key: "env", operator: "NotIn", values: ["dev"] },
      { key: "a", operator: "Exists" },
      { key: "z", operator: "DoesNotExist", values: null },
    ],
  });
  assert.equal(String(selector), "a,app=web,env notin (dev),tier in (a,b),!z");
  assert.ok(selector.matches({ app: "web", tier: "a", a: "" }));
  assert.ok(!selector.matches({ app: "web", tier: "c", a: "" }));
});

test("no selector object selects nothing, an empty one everything", () => {
  assert.equal(labelSelectorOf(undefined), matchNothing);
  assert.ok(!labelSelectorOf(null).matches({}));
  assert.ok(labelSelectorOf({}).matchesEverything);
});

const badObjects: readonly [expression: { key: string; operator: string; values?: string[] }, message: string][] = [
  [{ key: "a", operator: "Like" }, '"Like" is not a valid label selector operator'],
  [
    { key: "a", operator: "In" },
    "values: Invalid value: []string(nil): for 'in', 'notin' operators, values set can't be empty",
  ],
  [
    { key: "a", operator: "Exists", values: ["x"] },
    'values: Invalid value: []string{"x"}: values set must be empty for exists and does not exist',
  ],
  [{ key: "a b", operator: "Exists" }, `key: Invalid value: "a b": name part ${qualified}`],
];

for (const [expression, message] of badObjects) {
  test(`the expression ${JSON.stringify(expression)} is rejected`, () => {
    assert.throws(() => labelSelectorOf({ matchExpressions: [expression] }), { message });
  });
}

test("any text either parses to a selector whose text is stable, or is refused", () => {
  const piece = fc.constantFrom(
    "a",
    "b",
    "in",
    "notin",
    "=",
    "==",
    "!=",
    "!",
    "(",
    ")",
    ",",
    " ",
    ">",
    "<",
    "1",
    "-",
    "é",
    "\0",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      try {
        const text = String(parseLabelSelector(pieces.join("")));
        assert.equal(String(parseLabelSelector(text)), text);
      } catch (error) {
        assert.ok(error instanceof SelectorError, String(error));
      }
    }),
    { numRuns: 2000 },
  );
});

test("a selector costs the same to match however often it repeats itself", () => {
  const labels = { app: "web", tier: "front" };
  const repeated: readonly [text: string, matches: boolean][] = [
    ["app!=x,".repeat(60_000), true],
    [`app in (${Array.from({ length: 100_000 }, (_, i) => `v${i}`).join()})`, false],
    [`app notin (${Array.from({ length: 30_000 }, (_, i) => `v${i}`).join()})`, true],
    [Array.from({ length: 150_000 }, (_, i) => `!a${i}`).join(), true],
  ];
  for (const [text, matches] of repeated) {
    const selector = parseLabelSelector(text.replace(/,$/, ""));
    const started = process.cpuUsage();
    for (let object = 0; object < 20_000; object++) {
      assert.equal(selector.matches(labels), matches);
    }
    // A few milliseconds; it was minutes.
    assert.ok(process.cpuUsage(started).user < 10e6, text.slice(0, 20));
  }
});

test("requirements on one key hold all together", () => {
  const cases: readonly [text: string, value: string, matches: boolean][] = [
    ["a in (x,y),a in (y,z)", "y", true],
    ["a in (x,y),a in (y,z)", "x", false],
    ["a=x,a=y", "x", false],
    ["a,a!=x,a notin (y)", "z", true],
    ["a,a!=x,a notin (y)", "y", false],
    ["a>1,a>5,a<9", "6", true],
    ["a>1,a>5,a<9", "5", false],
    ["a>1,a<9", "x", false],
    ["a,!a", "x", false],
  ];
  const others = Array.from({ length: 20 }, (_, i) => `!other${i}`).join();
  for (const [text, value, matches] of cases) {
    assert.equal(parseLabelSelector(text).matches({ a: value }), matches, text);
    assert.equal(parseLabelSelector(`${text},${others}`).matches({ a: value }), matches, `${text} among many keys`);
    assert.equal(parseLabelSelector(`${text},${others}`).matches({ a: value, other3: "" }), false);
    assert.equal(parseLabelSelector(`${text},${others}`).matches({}), false);
  }
});

test("no more than a hundred unusable values are named", () => {
  const values = Array.from({ length: 5_000 }, (_, i) => `-${i}`);
  assert.throws(
    () => parseLabelSelector(`a in (${values.join()})`),
    (error: Error) => error.message.length < 60_000 && error.message.includes("values[99][a]"),
  );
});
