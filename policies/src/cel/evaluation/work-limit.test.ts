import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compileExpression, dynType, storedExpressions } from "../index.js";

const many = Array.from({ length: 100_000 }, (_item, index) => index);
const object = {
  loop: many.slice(0, 2000),
  many,
  texts: many.map((index) => `a${index % 10}`),
  text: "a".repeat(1_000_000),
  words: "a".repeat(100_000),
  bits: "abaab".repeat(100),
  tail: `${"a".repeat(50_000)}b`,
  map: Object.fromEntries(many.map((index) => [`k${index}`, index])),
  list: many.map((x) => ({ x })),
};
const variables = { object, oldObject: structuredClone(object) };
const declarations = storedExpressions.withVariables(
  new Map([
    ["object", dynType],
    ["oldObject", dynType],
  ]),
);

function evaluate(source: string) {
  return compileExpression(source, declarations).evaluate(variables, 1_000_000);
}

/** Each costs less than 1,000,000 for each of its steps, and would take from a second to an hour. */
const interrupted: readonly (readonly [what: string, source: string])[] = [
  ["the size of a long text", "object.loop.all(x, size(object.text) > 0)"],
  ["comparisons of objects", "object.loop.all(x, object.list == oldObject.list)"],
  ["comparisons of maps", "object.loop.all(x, object.map == oldObject.map)"],
  ["searches of a list", "object.loop.all(x, object.texts.indexOf('zz') == -1)"],
  ["the order of a list", "object.loop.all(x, object.texts.max() == 'a9')"],
  ["the keys of a map", "object.loop.all(x, object.map.exists(key, true))"],
  ["membership", "object.loop.all(x, !('zz' in object.texts) || true)"],
  ["sets", "sets.intersects(object.texts, object.many)"],
  ["a list that doubles", `[object.many]${".map(a, a + a)".repeat(30)}.all(a, a.size() > 0)`],
  ["lists that are copied", "object.loop.map(x, object.many + [x]).all(a, a[0] == 0)"],
  ["a text that grows beyond all bounds", "object.text.replace('a', object.text).size() > 0"],
  ["a text that is joined of many copies", "object.loop.map(x, object.text).join().size() > 0"],
  ["texts that are split", "object.loop.all(x, object.text.split('').size() > 1)"],
  ["texts that are formatted", "object.loop.all(x, '%s'.format([object.many]) != '')"],
  ["patterns", "object.loop.all(x, object.words.matches('^(a|b)*$'))"],
  ["patterns that are compiled", "object.loop.all(x, !('a'.matches('(.*a){900}' + string(x))))"],
  ["patterns that are invalid", "object.loop.all(x, 'a'.matches('(' + string(x)) || true)"],
  ["texts of patterns that need many states", "object.loop.all(x, !(object.bits.matches('[ab]*a[ab]{200}[^ab]')))"],
  ["parts that match", "object.loop.all(x, object.words.findAll('a').size() > 0)"],
  ["characters at an index", "object.loop.all(x, object.text.charAt(1000) == 'a')"],
  ["times of zones", "object.many.all(x, timestamp('2020-01-01T00:00:00Z').getHours('Europe/Berlin') >= 0)"],
  [
    "times that are parsed",
    "object.many.all(x, timestamp(x >= 0 ? '2020-01-01T00:00:00Z' : '') == timestamp('2020-01-01T00:00:00Z'))",
  ],
];

describe("An evaluation that does much work for its cost", () => {
  for (const [what, source] of interrupted) {
    it(`is interrupted: ${what}`, () => {
      const { error, cost } = evaluate(source);
      assert.equal(error?.message, "operation interrupted");
      assert.ok(cost < 1_000_000, `its cost of ${cost} would have ended it`);
      assert.deepEqual(evaluate(source), { error, cost });
    });
  }

  it("is not interrupted as long as each part is done once", () => {
    for (const source of [
      "size(object.text) == 1000000 && object.list == oldObject.list",
      "object.texts.indexOf('zz') == -1",
      "object.map.size() == 100000",
      "object.loop.map(x, x + 1).size() == 2000",
      "object.loop.all(x, x > 500 || 'a'.matches('a|' + string(x)))",
      "object.loop.all(x, object.bits.matches('^[ab]*$'))",
      "object.words.matches('^a+$') && object.text.lastIndexOf(object.tail) == -1",
    ]) {
      assert.equal(evaluate(source).value, true, source);
    }
  });

  it("finds the last occurrence of a long text in a longer one", () => {
    const text = `${"ab".repeat(5000)}c${"ab".repeat(5000)}é`;
    for (const part of [`${"ab".repeat(200)}c`, `c${"ab".repeat(300)}`, "ab".repeat(400), "x".repeat(400)]) {
      for (const from of [text.length - 1, 15_000, 9000, 400, 0]) {
        const { value } = compileExpression(`object.lastIndexOf(oldObject, ${from})`, declarations).evaluate(
          { object: text, oldObject: part },
          1_000_000,
        );
        assert.equal(value, text.lastIndexOf(part, from), `${part.length} from ${from}`);
      }
    }
  });
});
