import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { SelectorError } from "../errors.js";
import {
  fieldSelectorOf,
  parseFieldSelector,
  resolveFieldLabels,
  type SelectableFields,
  unknownFieldSelector,
} from "./field-selector.js";

const canonical: readonly [text: string, expected: string][] = [
  ["", ""],
  [",", ""],
  ["a=b", "a=b"],
  ["a==b", "a=b"],
  ["a!=b", "a!=b"],
  ["c=d,a=b", "a=b,c=d"],
  ["a=", "a="],
  ["=a", "=a"],
  ["a=b\\,c\\=d\\\\e", "a=b\\,c\\=d\\\\e"],
  ["a=!b", "a=!b"],
  [" a= b", " a= b"],
];

for (const [text, expected] of canonical) {
  test(`${JSON.stringify(text)} means ${JSON.stringify(expected)}`, () => {
    assert.equal(String(parseFieldSelector(text)), expected);
  });
}

const rejected: readonly [text: string, message: string][] = [
  ["a", "invalid selector: 'a'; can't understand 'a'"],
  ["x=y,a", "invalid selector: 'x=y,a'; can't understand 'a'"],
  ["a=b=c", "invalid field selector: unescaped character in value: 61"],
  ["a===b", "invalid field selector: unescaped character in value: 61"],
  ["a=b\\n", "invalid field selector: invalid escape sequence: \\n"],
  ["a=\\😀", "invalid field selector: invalid escape sequence: \\😀"],
  ["a=b\\", "invalid field selector: invalid escape sequence: \\"],
];

for (const [text, message] of rejected) {
  test(`${JSON.stringify(text)} is rejected`, () => {
    assert.throws(
      () => parseFieldSelector(text),
      (error) => error instanceof SelectorError && error.message === message,
    );
  });
}

test("a selector matches when all its terms do", () => {
  const values: Record<string, string> = { "metadata.name": "a", "status.phase": "Running" };
  const matches = (text: string) => parseFieldSelector(text).matches((field) => values[field] ?? "");
  assert.ok(matches(""));
  assert.ok(matches("metadata.name=a,status.phase!=Failed"));
  assert.ok(!matches("metadata.name=a,status.phase!=Running"));
  assert.ok(matches("spec.nodeName="));
  assert.ok(!matches("spec.nodeName!="));
});

test("the exact value of a field is known when the selector demands one", () => {
  const selector = parseFieldSelector("metadata.name=a,metadata.namespace!=b");
  assert.equal(selector.exactValue("metadata.name"), "a");
  assert.equal(selector.exactValue("metadata.namespace"), undefined);
});

const pods: SelectableFields = {
  supported: ["metadata.name", "spec.nodeName"],
  aliases: new Map([["spec.host", "spec.nodeName"]]),
};

test("aliases are resolved", () => {
  assert.equal(
    String(resolveFieldLabels(parseFieldSelector("spec.host=n,metadata.name=a"), pods)),
    "metadata.name=a,spec.nodeName=n",
  );
});

test("nothing that is nothing is true of everything, whatever fields the kind has", () => {
  assert.equal(String(resolveFieldLabels(parseFieldSelector("=,metadata.name=a,!="), pods)), "metadata.name=a");
  assert.throws(() => resolveFieldLabels(parseFieldSelector("=x"), pods), /field label not supported: $/);
});

test("a field that has another name in this version is not known by the one it is stored under", () => {
  const fields = { supported: [], aliases: new Map([["regarding.kind", "involvedObject.kind"]]) };
  assert.equal(String(resolveFieldLabels(parseFieldSelector("regarding.kind=Pod"), fields)), "involvedObject.kind=Pod");
  assert.throws(
    () => resolveFieldLabels(parseFieldSelector("involvedObject.kind=Pod"), fields),
    /field label not supported: involvedObject.kind$/,
  );
});

test("a field that the kind does not offer is refused", () => {
  const selector = parseFieldSelector("spec.x=1");
  const check = (fields: SelectableFields, message: string) =>
    assert.throws(
      () => resolveFieldLabels(selector, fields),
      (error) => error instanceof SelectorError && error.message === message,
    );
  check(pods, "field label not supported: spec.x");
  check(
    { supported: ["metadata.name", "metadata.namespace"], notSupported: unknownFieldSelector },
    '"spec.x" is not a known field selector: only "metadata.name", "metadata.namespace"',
  );
});

test("any values survive being written and parsed", () => {
  const term = fc.record({
    field: fc.constantFrom("a", "b.c"),
    operator: fc.constantFrom("=" as const, "!=" as const),
    value: fc.string(),
  });
  fc.assert(
    fc.property(fc.array(term), (terms) => {
      const text = String(fieldSelectorOf(terms));
      const sorted = (items: readonly unknown[]) => items.map((item) => JSON.stringify(item)).sort();
      assert.deepEqual(sorted(parseFieldSelector(text).requirements), sorted(terms));
    }),
  );
});

test("a field selector costs the same to match however often it repeats itself", () => {
  const selector = parseFieldSelector("metadata.name!=x,".repeat(50_000));
  const started = process.cpuUsage();
  for (let object = 0; object < 20_000; object++) {
    assert.equal(
      selector.matches(() => "web"),
      true,
    );
  }
  assert.ok(process.cpuUsage(started).user < 10e6);
  assert.equal(
    selector.matches(() => "x"),
    false,
  );
});

test("requirements on one field hold all together", () => {
  const matches = (text: string, value: string): boolean => parseFieldSelector(text).matches(() => value);
  assert.equal(matches("a=x,a=x", "x"), true);
  assert.equal(matches("a=x,a=y", "x"), false);
  assert.equal(matches("a=x,a=y", "y"), false);
  assert.equal(matches("a=x,a!=x", "x"), false);
  assert.equal(matches("a=x,a!=y", "x"), true);
});
