import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { CompileError, compileExpression, dynType, newExpressions, ProgramError } from "./index.js";

/** `npm run soak` takes many more. */
const count = Number(process.env["FUZZ_EXPRESSIONS"] ?? 3000);
const seed = Number(process.env["FUZZ_SEED"] ?? 129);

const declarations = newExpressions.withVariables(new Map([["object", dynType]]));

const tokens = [
  ..."( ) [ ] { } . .? [? , ; : ? ! - + * / % == != < <= > >= && || in @ # $ \\ ` ' \" \"\"\" ''' r' b' 0x 1e 1u 9223372036854775808".split(
    " ",
  ),
  ...'object a b size has all exists exists_one map filter matches format findAll true false null int 1 2.5 \'a\' "(" \'[\' "(a*)*b" "%s" // \n é 😀 \ud800 \0 \u2028 __proto__ constructor'.split(
    " ",
  ),
];

const sources = [
  "object.spec.containers.all(c, c.image.matches('^registry/') && !c.image.endsWith(':latest'))",
  'object.a.map(x, x + 1).filter(x, x > 2).size() == 3 ? "a" : "b"',
  "has(object.a) && object.?a[?1].?b.orValue({'a': [1, 2u, 3.0]}) != dyn(null)",
  "timestamp('2020-01-01T00:00:00Z') - duration('1h') < timestamp(object.t)",
];

const texts = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.string({ unit: "grapheme", maxLength: 200 }),
  fc.array(fc.constantFrom(...tokens), { maxLength: 60 }).map((parts) => parts.join(" ")),
  fc.array(fc.constantFrom(...tokens), { maxLength: 60 }).map((parts) => parts.join("")),
  fc
    .tuple(fc.constantFrom(...sources), fc.nat(100), fc.nat(20), fc.constantFrom(...tokens))
    .map(([source, at, length, token]) => source.slice(0, at) + token + source.slice(at + length)),
  fc
    .tuple(fc.constantFrom("(", "[", "!", "-", "{1:", "a.", "a[", "a?b:", "size(", "[].map(x,"), fc.nat(3000))
    .map(([part, times]) => part.repeat(times)),
);

it(`${count} odd texts are compiled, or refused with CompileError or ProgramError`, (context) => {
  context.diagnostic(`seed ${seed}`);
  let compiled = 0;
  fc.assert(
    fc.property(texts, (source) => {
      try {
        const { value, error } = compileExpression(source, declarations).evaluate({ object: { a: [1] } }, 100_000);
        assert.notEqual(value === undefined, error === undefined);
        compiled++;
      } catch (thrown) {
        assert.ok(thrown instanceof CompileError || thrown instanceof ProgramError, String(thrown));
        assert.notEqual(thrown.message, "");
      }
    }),
    { numRuns: count, seed },
  );
  context.diagnostic(`${compiled} were compiled`);
  assert.ok(compiled > count / 100, `only ${compiled} were compiled`);
});
