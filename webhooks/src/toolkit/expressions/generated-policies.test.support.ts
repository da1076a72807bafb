import type { JsonObject, JsonValue } from "@gatehouse/envelopes/json";
import fc from "fast-check";
import * as expressions from "./index.js";

// biome-ignore lint/suspicious/noExplicitAny: generated trees are typed by the engine's checker, not by the compiler.
type Untyped = any;

const build = expressions as Record<string, Untyped>;

/** Makes an expression of the paths that are in scope: the roots, then the element of each loop around it. */
type Builder = (scope: readonly Untyped[]) => Untyped;

type Form = fc.Arbitrary<Builder>;

interface Builders {
  readonly path: Form;
  readonly text: Form;
  readonly number: Form;
  readonly list: Form;
  readonly boolean: Form;
}

const names = ["a", "b", "list", "x-y", "namespace", "constructor", "in"];
const texts = ["", "a", "b", "a:latest", "A b", "é", "😀", '"\\\n', "\u{ffff}"];
const numbers = [0, 1, -1, 2, 5];
const patterns = ["^a", "b$", "[^:]*:latest", "(a|b)+", "é"];

const name = fc.constantFrom(...names);
const literalText = fc.constantFrom(...texts).map(
  (text): Builder =>
    () =>
      text,
);
const literalNumber = fc.constantFrom(...numbers).map(
  (number): Builder =>
    () =>
      number,
);

/** Expressions of every form that the builder has. Most of them pass the type checker. */
const builders = fc.letrec((tie): Builders => {
  const [text, number, boolean, list, path] = ["text", "number", "boolean", "list", "path"].map(
    (name) => tie(name) as fc.Arbitrary<Builder>,
  ) as [Form, Form, Form, Form, Form];
  const form = (make: (...values: Untyped[]) => unknown, ...parts: Form[]): Form =>
    fc.tuple(...parts).map(
      (made): Builder =>
        (scope) =>
          make(...made.map((part) => part(scope))),
    );
  const loop = (make: (list: Untyped, body: (element: Untyped) => Untyped) => unknown, body: Form) =>
    fc.tuple(fc.oneof(list, path), body).map(
      ([range, inner]): Builder =>
        (scope) =>
          make(range(scope), (element) => inner([...scope, element])),
    );
  const small = { maxDepth: 4, depthSize: "small" as const };
  const compare = fc.constantFrom(build["lt"], build["le"], build["gt"], build["ge"]);
  const compared = (operand: Form) =>
    fc.tuple(compare, operand, operand).map(
      ([make, left, right]): Builder =>
        (scope) =>
          make(left(scope), right(scope)),
    );
  const tested = fc.constantFrom(build["startsWith"], build["endsWith"], build["contains"]);
  return {
    path: fc.tuple(fc.nat(20), fc.array(name, { minLength: 1, maxLength: 3 }), fc.option(fc.nat(2)), fc.boolean()).map(
      ([root, members, index, isEntry]): Builder =>
        (scope) => {
          const start = scope[root % scope.length] as Untyped;
          const selected = members.reduce(
            (at: Untyped, member) => (isEntry ? build["entry"](at, member) : at[member]),
            start,
          );
          return index === null ? selected : build["elementAt"](selected, index);
        },
    ),
    text: fc.oneof(
      small,
      literalText,
      path,
      form((at, other) => build["orValue"](at, other), path, literalText),
      form((left, right) => build["concat"](left, right), text, text),
      form((value) => build["lowerAscii"](value), text),
      form((value) => build["text"](value), fc.oneof(number, text, boolean)),
      form((value, separator) => build["join"](value, separator), list, literalText),
      form((condition, left, right) => build["choose"](condition, left, right), boolean, text, text),
    ),
    number: fc.oneof(
      small,
      literalNumber,
      path,
      form((at, other) => build["orValue"](at, other), path, literalNumber),
      form((value) => build["size"](value), fc.oneof(list, text, path)),
    ),
    list: fc.oneof(
      small,
      path,
      fc.subarray(texts).map(
        (items): Builder =>
          () =>
            items,
      ),
      form((at) => build["orValue"](at, []), path),
      loop(build["filter"], boolean),
      loop(build["map"], text),
    ),
    boolean: fc.oneof(
      small,
      fc.boolean().map(
        (value): Builder =>
          () =>
            value,
      ),
      path,
      form((at) => build["has"](at), path),
      form(() => undefined as never, path).map(
        (): Builder =>
          ([, oldObject]) =>
            build["has"](oldObject),
      ),
      form((left, right) => build["eq"](left, right), path, fc.oneof(path, text, number, list)),
      form((left, right) => build["eq"](left, right), text, text),
      form((left, right) => build["ne"](left, right), number, number),
      compared(number),
      compared(text),
      form((value, range) => build["isIn"](value, range), text, fc.oneof(list, path)),
      form((left, right) => build["and"](left, right), boolean, boolean),
      form((left, right) => build["or"](left, right, false), boolean, boolean),
      form((value) => build["not"](value), boolean),
      form((condition, left, right) => build["choose"](condition, left, right), boolean, boolean, boolean),
      fc.tuple(tested, text, text).map(
        ([make, left, right]): Builder =>
          (scope) =>
            make(left(scope), right(scope)),
      ),
      fc.tuple(text, fc.constantFrom(...patterns)).map(
        ([value, pattern]): Builder =>
          (scope) =>
            build["matches"](value(scope), pattern),
      ),
      loop(build["all"], boolean),
      loop(build["exists"], boolean),
    ),
  };
});

/** Options of generated hooks, which may use a variable in each of their expressions. */
export const policyOptions: fc.Arbitrary<expressions.PolicyHookOptions<unknown>> = fc
  .record({
    variable: fc.option(fc.oneof(builders.text, builders.list, builders.boolean)),
    failurePolicy: fc.constantFrom("Fail" as const, "Ignore" as const),
    validations: fc.array(fc.record({ check: builders.boolean, message: builders.text }), {
      minLength: 1,
      maxLength: 3,
    }),
  })
  .map(({ variable, failurePolicy, validations }) => ({
    name: "generated.example.com",
    rules: [{ operations: ["CREATE", "UPDATE"] as const, apiGroups: ["*"], apiVersions: ["*"], resources: ["*"] }],
    failurePolicy,
    validations: ({ object, oldObject, request }) => {
      const roots: Untyped[] = [object, oldObject];
      const scope = variable === null ? roots : [...roots, build["variable"]("shared", variable(roots))];
      return validations.map(({ check, message }) => ({
        check: expressions.and(check(scope), expressions.has(request.userInfo.username)),
        message: expressions.concat(message(scope), expressions.orValue(request.name, " of no name")),
      }));
    },
  }));

const key = fc.constantFrom(...names);

/** Objects of few names, with nulls and values of other types than an expression hopes for. */
export const objects: fc.Arbitrary<JsonObject> = fc.letrec<{ readonly object: JsonObject; readonly value: JsonValue }>(
  (tie) => ({
    object: fc.dictionary(key, tie("value"), { maxKeys: 5 }) as fc.Arbitrary<JsonObject>,
    value: fc.oneof(
      { maxDepth: 4, depthSize: "medium" },
      fc.constantFrom<JsonValue>(...texts, ...numbers, 1.5, 1234567.25, 9007199254740993n, true, false, null),
      tie("object"),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.array(tie("object"), { maxLength: 3 }),
    ),
  }),
).object;
