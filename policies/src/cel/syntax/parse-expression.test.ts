import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { CompileError } from "./compile-error.js";
import { parseExpression } from "./parse-expression.js";
import { printExpression } from "./print-expression.test.support.js";

const trees: readonly (readonly [sentence: string, source: string, tree: string])[] = [
  ["products bind more than sums, and both group to the left", "a + b * c - d", "_-_(_+_(a, _*_(b, c)), d)"],
  ["comparisons group to the left", "a in b == c", "_==_(@in(a, b), c)"],
  ["and binds more than or", "a && b || c && d", "_||_(_&&_(a, b), _&&_(c, d))"],
  ["a long chain of and is balanced", "a && b && c && d && e", "_&&_(_&&_(_&&_(a, b), c), _&&_(d, e))"],
  ["three terms of or lean to the left", "a || b || c", "_||_(_||_(a, b), c)"],
  ["conditionals group to the right", "a ? b : c ? d : e", "_?_:_(a, b, _?_:_(c, d, e))"],
  ["a sign is a part of the number behind it", "1 - -1", "_-_(1, -1)"],
  ["a sign before a name is a call", "-a", "-_(a)"],
  ["an even number of signs is none", "--a", "a"],
  ["an even number of signs before a number is none", "--1", "1"],
  ["an odd number of negations is one", "!!!a", "!_(a)"],
  ["the smallest int can be written", "-9223372036854775808", "-9223372036854775808"],
  ["ints can be hexadecimal", "0xfF", "255"],
  ["a uint has a suffix", "[1u, 0x10U]", "[1u, 16u]"],
  ["doubles have a fraction, an exponent, or both", "[1.0, .5, 2e3, 1.5E-1]", "[1.0, 0.5, 2000.0, 0.15]"],
  ["zero keeps the sign of a double", "-0.0", "-0.0"],
  ["a dot behind a digit is a selection", "1.e5", "1.e5"],
  [
    "escapes stand for characters",
    `'\\a\\b\\f\\n\\r\\t\\v\\\\\\'\\"\\\`\\?'`,
    JSON.stringify("\x07\b\f\n\r\t\v\\'\"`?"),
  ],
  ["escapes of digits stand for code points", "'\\x41\\u00e9\\U0001F600\\101'", '"Aé😀A"'],
  ["backslashes are plain in raw strings", "r'\\n' + R\"\\\"", '_+_("\\\\n", "\\\\")'],
  ["triple quotes hold lines and quotes", "'''a\r\n'b'''", `"a\\n'b"`],
  ["escapes of bytes stand for bytes, characters for their UTF-8", "b'\\xff\\377é'", "bytes(255, 255, 195, 169)"],
  ["bytes can be raw", "br'\\x'", "bytes(92, 120)"],
  ["words of the language are values", "[true, false, null]", "[true, false, null]"],
  ["members are selected, called and indexed", "a.b.c(d)[0]", "_[_](a.b.c(d), 0)"],
  ["a name may begin with a dot", ".a.f(.g())", ".a.f(.g())"],
  ["reserved names are fields", "a.for.package", "a.for.package"],
  ["an optional selection is a call", "a.?b[?0].c", '_[?_](_?._(a, "b"), 0).c'],
  ["elements of lists can be optional", "[1, ?a, ]", "[1, ?a]"],
  ["entries of maps can be optional", "{?a: 1, 'b': 2,}", '{?a: 1, "b": 2}'],
  ["structs have a qualified name", "a.b.C{x: 1, ?y: 2}", "a.b.C{x: 1, ?y: 2}"],
  ["the name of a struct may begin with a dot", ".C{}.d", ".C{}.d"],
  ["empty literals may have a comma", "[[,], {,}, C{,}]", "[[], {}, C{}]"],
  ["comments end with the line", "a // b\n+ c", "_+_(a, c)"],
  ["has() tests for a field", "has(a.b.c)", "a.b.c~"],
  [
    "all() is a loop",
    "x.all(y, y > 1)",
    "loop(y in x; __result__ = true; @not_strictly_false(__result__); _&&_(__result__, _>_(y, 1)); __result__)",
  ],
  [
    "exists() is a loop",
    "x.exists(y, y)",
    "loop(y in x; __result__ = false; @not_strictly_false(!_(__result__)); _||_(__result__, y); __result__)",
  ],
  [
    "exists_one() is a loop that counts",
    "x.exists_one(y, y)",
    "loop(y in x; __result__ = 0; true; _?_:_(y, _+_(__result__, 1), __result__); _==_(__result__, 1))",
  ],
  [
    "map() is a loop that appends",
    "x.map(y, y * 2)",
    "loop(y in x; __result__ = []; true; _+_(__result__, [_*_(y, 2)]); __result__)",
  ],
  [
    "map() can have a condition",
    "x.map(y, y > 1, y)",
    "loop(y in x; __result__ = []; true; _?_:_(_>_(y, 1), _+_(__result__, [y]), __result__); __result__)",
  ],
  [
    "filter() is a loop that appends the element",
    "x.filter(y, y)",
    "loop(y in x; __result__ = []; true; _?_:_(y, _+_(__result__, [y]), __result__); __result__)",
  ],
  [
    "optMap() wraps the result",
    "x.optMap(y, y + 1)",
    "_?_:_(x.hasValue(), optional.of(loop(#unused in []; y = x.value(); false; y; _+_(y, 1))), optional.none())",
  ],
  [
    "optFlatMap() does not wrap the result",
    "x.optFlatMap(y, y)",
    "_?_:_(x.hasValue(), loop(#unused in []; y = x.value(); false; y; y), optional.none())",
  ],
  ["macros are told by their number of arguments", "x.all(y)", "x.all(y)"],
  ["macros of members are functions without a target", "all(x, y)", "all(x, y)"],
  ["cel.bind() and loops of two variables are no macros", "cel.bind(a, 1, a)", "cel.bind(a, 1, a)"],
];

for (const [sentence, source, tree] of trees) {
  test(`${sentence}: ${source.replaceAll(/[\r\n]+/g, "⏎")}`, () => {
    assert.equal(printExpression(parseExpression(source).root), tree);
  });
}

test("the texts of nodes are known, those of nodes that macros made are not", () => {
  const source = "(a + b).c && [1].all(x, x > 0)";
  const { ranges, maxId } = parseExpression(source);
  const texts = [...ranges.values()].map(({ start, end }) => source.slice(start, end));
  assert.deepEqual(texts.sort(), [
    "(a + b).c",
    "(a + b).c && [1].all(x, x > 0)",
    "0",
    "1",
    "[1]",
    "[1].all(x, x > 0)",
    "a",
    "a + b",
    "b",
    "x",
    "x",
    "x > 0",
  ]);
  assert.ok(maxId > ranges.size);
});

test("nodes stand where v1.29 points to: at operators, dots and parentheses", () => {
  const offsetOf = (source: string): number => parseExpression(source).root.offset;
  assert.deepEqual(
    ["a + b", "a.b", "a.b(c)", "f(a)", "a[0]", "a ? b : c", ".a", "a && b && c", "T{}", "[a]", "-1", "a.all(x, x)"].map(
      offsetOf,
    ),
    [2, 1, 3, 1, 1, 2, 1, 7, 1, 0, 0, 5],
  );
});

test("calls of macros are kept as they were written, by the node in their place", () => {
  const { root, macroCalls } = parseExpression("x.map(y, has(y.z))");
  const call = macroCalls.get(root.id);
  assert.equal(call?.name, "map");
  assert.equal(call.target && printExpression(call.target), "x");
  assert.deepEqual(call.args.map(printExpression), ["y", "y.z~"]);
  assert.equal(macroCalls.size, 2);
});

test("ids of nodes are unique and lie between 1 and the largest", () => {
  const { maxId, ranges } = parseExpression("{'a': [1, T{b: 2}], c: d.exists(x, x)}");
  for (const id of ranges.keys()) assert.ok(id >= 1 && id <= maxId);
});

test("100,000 parentheses are refused, not parsed until the stack overflows", () => {
  assert.throws(() => parseExpression("(".repeat(100_000)), { message: /expression recursion limit exceeded: 250$/ });
});

for (const [name, unit] of [
  ["operators", "1 + "],
  ["conjunctions", "a && "],
  ["names", "a "],
  ["selections", "a."],
  ["brackets", "["],
  ["entries", "{a:"],
  ["negations", "!"],
  ["signs", "-"],
  ["quotes", "'"],
  ["triple quotes", "'''\\q"],
  ["half operators", "&"],
  ["conditionals", "a ? b : "],
  ["calls", "a.b("],
] as const) {
  test(`a source of ${name} alone gives a tree or a CompileError`, () => {
    assertParses(unit.repeat(Math.floor(99_000 / unit.length)));
  });
}

test("any text gives a tree or a CompileError", () => {
  const piece = fc.constantFrom(
    ..."( ) [ ] { } . , - ! ? : + * / % == != in < <= && || true null 1 2u 3.5 's' x for .? [?".split(" "),
    " ",
    "\n",
    "'",
    '"',
    "\\",
    "é",
    "😀",
    "\ud800",
    "has(",
    "x.all(",
    "'''",
    "//",
    "b'",
    "&",
    "%d",
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: "binary" }),
        fc.array(piece, { maxLength: 60 }).map((all) => all.join("")),
      ),
      (source) => {
        assertParses(source);
      },
    ),
    { numRuns: 2000 },
  );
});

function assertParses(source: string): void {
  try {
    parseExpression(source);
  } catch (error) {
    assert.ok(error instanceof CompileError, String(error));
    assert.notEqual(error.problems.length, 0);
  }
}
