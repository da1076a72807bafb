import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonValue } from "../json/json.js";
import type { Steps } from "../scheduling/steps.js";
import { DecodeError } from "./decode-error.js";
import { encodeJson } from "./encode-json.js";
import { parseExactIntegersSteps, parseJson, parseJsonSteps } from "./parse-json.js";
import { memberPaths } from "./parse-json-exactly.js";
import { parseStoredJson } from "./stored-json.js";

const duplicates: readonly (readonly [string, readonly string[]])[] = [
  ['{"a":1,"b":2}', []],
  ['{"a":1,"a":2}', ["a"]],
  ['{"spec":{"replicas":1,"x":[],"replicas":2}}', ["spec.replicas"]],
  ['{"spec":{"containers":[{"name":"a"},{"name":"b","name":"c"}]}}', ["spec.containers[1].name"]],
  ['{"a":[[{"b":1,"b":1}]]}', ["a[0][0].b"]],
  ['[{"op":"add","op":"add"}]', ["[0].op"]],
  ['{"a":{"b":1,"b":2},"a":{"b":1,"b":2}}', ["a.b", "a"]],
  ['{"__proto__":1,"__proto__":2}', ["__proto__"]],
  ['{"a" : 1, "b" : 2}', []],
  ['{"a":":","b":"\\":"}', []],
  ['{"a\\\\":1,"\\u0061\\\\":2}', ["a\\"]],
  // Spellings that hid a duplicate from whoever counted quotes with colons.
  ['{"a":"1","a":"2","b" :"3"}', ["a"]],
  ['{"a":"1","a":"2","b"\n:"3"}', ["a"]],
  ['{"a":"1","a":"2","b"\t\r :"3"}', ["a"]],
  ['{"a":":","a":"2","b" :"3"}', ["a"]],
  ['{"a\\\\":1,"a\\\\":2}', ["a\\"]],
  ['{"a":"x :y","b":" :"}', []],
];

for (const [text, expected] of duplicates) {
  test(`duplicates of ${text} are ${JSON.stringify(expected)}`, () => {
    const { value, duplicateFields } = parseJson(text);
    assert.deepEqual([...duplicateFields], expected);
    assert.deepEqual(value, JSON.parse(text));
  });
}

/** The result of work in steps, and the number of its pauses. */
function finish<T>(work: Steps<T>): { readonly value: T; readonly pauses: number } {
  for (let pauses = 0; ; pauses++) {
    const step = work.next();
    if (step.done === true) {
      return { value: step.value, pauses };
    }
  }
}

const manyKeys = `{${Array.from({ length: 90_000 }, (_, index) => `"key${index}":"v"`).join(",")},"key1":"w"}`;

test("a document of many values is read with pauses, and as one of few is", () => {
  const { value, pauses } = finish(parseJsonSteps(manyKeys));
  assert.deepEqual(value.value, JSON.parse(manyKeys));
  assert.deepEqual(value.duplicateFields, ["key1"]);
  assert.ok(pauses >= 40, `${pauses} pauses`);
  assert.throws(() => finish(parseJsonSteps(manyKeys.slice(0, -1))), {
    name: DecodeError.name,
    message: "unexpected end of JSON input",
  });
  assert.throws(() => finish(parseJsonSteps(`${manyKeys}}`)), {
    name: DecodeError.name,
    message: "invalid character '}' after top-level value",
  });
});

test("a document of many values keeps its integers when only these are asked for, at any depth", () => {
  const deep = `${"[".repeat(5000)}${manyKeys},12345678901234567890${"]".repeat(5000)}`;
  const { value, pauses } = finish(parseExactIntegersSteps(deep));
  assert.ok(pauses >= 40, `${pauses} pauses`);
  let inner = value as readonly JsonValue[];
  for (let level = 1; level < 5000; level++) {
    inner = inner[0] as readonly JsonValue[];
  }
  assert.deepEqual(inner, [JSON.parse(manyKeys), 12345678901234567890n]);
});

test("no more than a hundred duplicates are reported", () => {
  const members = Array.from({ length: 300 }, (_, index) => `"k${index % 150}":1`);
  assert.equal(parseJson(`{${members.join(",")}}`).duplicateFields.length, 100);
});

const errors: readonly (readonly [string, string])[] = [
  ["", "unexpected end of JSON input"],
  ["  ", "unexpected end of JSON input"],
  ["{", "unexpected end of JSON input"],
  ['{"a', "unexpected end of JSON input"],
  ['{"a":', "unexpected end of JSON input"],
  ["[1,", "unexpected end of JSON input"],
  ["1.", "unexpected end of JSON input"],
  ["x", "invalid character 'x' looking for beginning of value"],
  ["[1,]", "invalid character ']' looking for beginning of value"],
  ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
  ["{a:1}", "invalid character 'a' looking for beginning of object key string"],
  ['{"a" 1}', "invalid character '1' after object key"],
  ['{"a":1 "b":2}', "invalid character '\"' after object key:value pair"],
  ["[1 2]", "invalid character '2' after array element"],
  ["{} {}", "invalid character '{' after top-level value"],
  ["'a'", "invalid character '\\'' looking for beginning of value"],
  ["tru", "unexpected end of JSON input"],
  ["trux", "invalid character 'x' in literal true (expecting 'e')"],
  ["nulL", "invalid character 'L' in literal null (expecting 'l')"],
  ["-", "unexpected end of JSON input"],
  ["-x", "invalid character 'x' in numeric literal"],
  ["01", "invalid character '1' after top-level value"],
  ["1.x", "invalid character 'x' after decimal point in numeric literal"],
  ["1ex", "invalid character 'x' in exponent of numeric literal"],
  ['"\\x"', "invalid character 'x' in string escape code"],
  ['"\\u12g4"', "invalid character 'g' in \\u hexadecimal character escape"],
  ['"a\nb"', "invalid character '\\n' in string literal"],
  ['"a\u0000b"', "invalid character '\\x00' in string literal"],
  ["é", "invalid character 'Ã' looking for beginning of value"],
  ["1e999", "json: cannot unmarshal number 1e999 into Go value of type float64"],
];

for (const [text, message] of errors) {
  test(`${JSON.stringify(text)} fails with: ${message}`, () => {
    assert.throws(() => parseJson(text), { name: DecodeError.name, message });
  });
}

test("a thousand levels are read and one more is refused, without exhausting the stack", () => {
  const nest = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
  const { value } = parseJson(nest(1_000));
  assert.equal(encodeJson(value), nest(1_000));
  assert.deepEqual(parseJson(`{"a":1,"a":${nest(999)}}`).duplicateFields, ["a"]);
  assert.throws(() => parseJson(nest(1_001)), { message: "invalid character '[' exceeded max depth" });
  assert.throws(() => parseJson(nest(90_000)), { message: "invalid character '[' exceeded max depth" });
  assert.throws(() => parseJson('{"a":'.repeat(90_000)), { message: "invalid character '{' exceeded max depth" });
  assert.throws(() => parseJson("[".repeat(900)), { message: "unexpected end of JSON input" });
});

test("more values than an object can have use for are refused", () => {
  const message = "json: more than 100000 values in one document";
  for (const value of ["{}", "1", '"a"', "[null]"]) {
    assert.throws(() => parseJson(`[${`${value},`.repeat(100_000)}1]`), { name: DecodeError.name, message });
  }
  assert.equal((parseJson(`[${"{},".repeat(99_998)}1]`).value as JsonValue[]).length, 99_999);
  const geometry = JSON.stringify({ data: { points: "[1],".repeat(700_000) } });
  assert.deepEqual(parseJson(geometry).value, JSON.parse(geometry));
});

test("integers keep every digit", () => {
  const text =
    '{"a":9007199254740993,"b":-9223372036854775808,"c":9007199254740991,"d":[18446744073709551615,1e20],"e":123456789012345678901234567890}';
  const { value } = parseJson(text);
  assert.deepEqual(value, {
    a: 9007199254740993n,
    b: -9223372036854775808n,
    c: 9007199254740991,
    d: [18446744073709551615n, 1e20],
    e: 123456789012345678901234567890n,
  });
  assert.deepEqual(parseStoredJson(text), value);
  assert.equal(encodeJson(parseStoredJson(text)), text.replace("1e20", "100000000000000000000"));
  assert.throws(() => parseJson(`[${"9".repeat(400)}]`), DecodeError);
});

test("numbers are exact wherever in the text they stand", () => {
  for (let spaces = 0; spaces < 40; spaces++) {
    const pad = " ".repeat(spaces);
    assert.deepEqual(parseStoredJson(`${pad}{"a":9007199254740993}`), { a: 9007199254740993n });
    assert.deepEqual(parseJson(`${pad}[9007199254740993]`).value, [9007199254740993n]);
  }
});

const spellings: readonly (readonly [text: string, spelled: readonly (readonly [string | number, string])[]])[] = [
  ['{"a":1.0}', [["a", "1.0"]]],
  ['{"a": -1e2,"b":1.5,"c":0.10,"d":7}', [["a", "-1e2"]]],
  ['{"a":\n1E+0}', [["a", "1E+0"]]],
  ['{"a" : 1.00}', [["a", "1.00"]]],
  [
    "[1, 2.0,3e1]",
    [
      [1, "2.0"],
      [2, "3e1"],
    ],
  ],
  ['{"image":"nginx:1.0","a":"x:1e2","b":":1.0"}', []],
  ['{"a":"\\":1.0"}', []],
];

for (const [text, expected] of spellings) {
  test(`the spellings of ${text} are ${JSON.stringify(expected)}`, () => {
    const { value, asWritten } = parseJson(text);
    const noted = asWritten === undefined ? undefined : [...asWritten.spellings.values()][0];
    assert.deepEqual([...(noted ?? [])], expected);
    assert.deepEqual(value, JSON.parse(text));
  });
}

test("hostile text takes time in proportion to its length", () => {
  const size = 3 * 1024 * 1024;
  const texts = [
    "[".concat("1".repeat(size), "]"),
    `{"a":0.${"0".repeat(size)}1}`,
    `{"a":"${":".repeat(size)}"}`,
    `{"a":"${" :".repeat(size / 2)}"}`,
    `{"a":"${"\\\\".repeat(size / 4)}":1}`,
    `{${'"a":1,'.repeat(size / 6)}"a":1}`,
    `[${"{},".repeat(size / 3)}1]`,
    `[${"1e0,".repeat(size / 4)}1]`,
    `[${",1.".repeat(size / 3)}`,
    `{"a":"${":1.1".repeat(size / 4)}"}`,
    `{"a":"${'\\":1'.repeat(size / 4)}"}`,
  ];
  for (const text of texts) {
    const started = process.cpuUsage();
    try {
      parseJson(text);
    } catch (error) {
      assert.ok(error instanceof DecodeError);
    }
    // A tenth of a second or two; anything quadratic takes minutes.
    assert.ok(process.cpuUsage(started).user < 5e6, text.slice(0, 20));
  }
});

test("half of a surrogate pair is replaced, a whole pair is kept", () => {
  assert.deepEqual(parseJson('{"a":"\\ud800x","b":"\\ud83d\\ude00","\\udc00":1}').value, {
    a: "\uFFFDx",
    b: "\u{1F600}",
    "\uFFFD": 1,
  });
});

test("__proto__ is a member like any other", () => {
  for (const text of ['{"__proto__":{"polluted":true}}', '{"__proto__":{"polluted":true},"a":1,"a":2}']) {
    const { value } = parseJson(text);
    assert.ok(Object.hasOwn(value as object, "__proto__"));
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
    assert.equal(({} as { polluted?: boolean }).polluted, undefined);
    assert.ok(encodeJson(value).startsWith('{"__proto__":{"polluted":true}'));
  }
});

test("paths of members come in the order of the text, each as often as it is given", () => {
  const text = '{"b":{"x.y":[{"c":1,"c":2},{"c":3}]},"a":1,"b":{"d":null}}';
  const paths = ["b", "b.x.y", "b.x.y[0].c", "b.x.y[0].c", "b.x.y[1].c", "a", "b", "b.d"];
  assert.deepEqual(memberPaths(text), paths);
});

test("members given twice below a long name are told as far as their paths are no longer than a few hundred KiB", () => {
  const name = "n".repeat(100_000);
  const members = Array.from({ length: 1000 }, (_, index) => `"d${index}":0,"d${index}":1`);
  const { duplicateFields } = parseJson(`{"${name}":{${members.join(",")}}}`);
  assert.deepEqual([...duplicateFields], [`${name}.d0`, `${name}.d1`, `${name}.d2`]);
});
