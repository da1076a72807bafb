import type { JsonObject } from "@gatehouse/envelopes/json";
import {
  type CelType,
  type CompiledExpression,
  CompileError,
  compileExpression,
  type Declarations,
  optionalType,
  ProgramError,
} from "@gatehouse/policies/cel";
import { unmeasuredExpressions } from "../../request/expression-metrics.js";
import { celTypeOf, type DeclaredType } from "./declared-type.js";
import { normalFieldPath } from "./rule-field-path.js";
import { trimSpace } from "./trim-space.js";
import { usesVariable } from "./uses-variable.js";
import { rulesOf, type ValidationRule } from "./validation-rule.js";

/** A rule whose expressions are compiled, as far as they can be. */
export interface CompiledRule {
  readonly source: ValidationRule;
  /** The rule; undefined for an empty one and for one that does not compile. */
  readonly expression?: CompiledExpression;
  /** The reason why the rule does not compile. */
  readonly problem?: string;
  readonly usesOldSelf: boolean;
  /** The expression of the message; undefined if there is none, or none that compiles. */
  readonly messageExpression?: CompiledExpression;
  readonly messageProblem?: string;
  /** The path of the field to name in errors, from the place of the rule; empty for the place itself. */
  readonly fieldPath: string;
}

/** Returns the functions and types that an expression may use. */
export interface Environments {
  readonly ofRule: (rule: string) => Declarations;
  readonly ofMessage: (messageExpression: string) => Declarations;
}

/** Compiles the rules of one node of a schema, without those of the nodes below it. */
export function* compileRules(
  schema: JsonObject,
  declared: DeclaredType,
  environments: Environments,
  { compiled } = unmeasuredExpressions,
): Generator<CompiledRule, void, undefined> {
  const self = celTypeOf(declared, placeholderName());
  let milliseconds = 0;
  for (const source of rulesOf(schema)) {
    const begin = performance.now();
    const rule = compileRule(schema, source, self, environments);
    milliseconds += performance.now() - begin;
    yield rule;
  }
  compiled(milliseconds / 1_000);
}

/** Returns a name for the type of `self` that differs from time to time, so that no expression can rely on it. */
function placeholderName(): string {
  return `selfType${Math.floor(Math.random() * 1e9)}`;
}

function compileRule(
  schema: JsonObject,
  source: ValidationRule,
  self: CelType,
  environments: Environments,
): CompiledRule {
  if (trimSpace(source.rule) === "") {
    return { source, usesOldSelf: false, fieldPath: "" };
  }
  const variables = new Map([
    ["self", self],
    ["oldSelf", source.optionalOldSelf ? optionalType(self) : self],
  ]);
  const rule = compile(source.rule, environments.ofRule(source.rule).withVariables(variables), steps.rule);
  if (rule.expression === undefined) {
    return { source, problem: rule.problem, usesOldSelf: false, fieldPath: "" };
  }
  const usesOldSelf = usesVariable(rule.expression.checked, "oldSelf");
  const compiled = { source, expression: rule.expression, usesOldSelf, fieldPath: fieldPathOf(source, schema) };
  if (source.messageExpression === "") {
    return compiled;
  }
  const declarations = environments.ofMessage(source.messageExpression).withVariables(variables);
  const message = compile(source.messageExpression, declarations, steps.message);
  return message.expression === undefined
    ? { ...compiled, messageProblem: message.problem }
    : { ...compiled, messageExpression: message.expression };
}

/** The type that an expression must have, and the names of the steps of its compilation, for the messages. */
interface Expectation {
  readonly kind: CelType["kind"];
  readonly otherKind: string;
  readonly compilation: string;
  readonly program: string;
}

const steps = {
  rule: {
    kind: "bool",
    otherKind: "cel expression must evaluate to a bool",
    compilation: "compilation",
    program: "program",
  },
  message: {
    kind: "string",
    otherKind: "messageExpression must evaluate to a string",
    compilation: "messageExpression compilation",
    program: "messageExpression",
  },
} as const satisfies Record<string, Expectation>;

type Compilation =
  | { readonly expression: CompiledExpression }
  | { readonly expression?: undefined; readonly problem: string };

/** Compiles an expression. As in v1.29, its type is looked at before what fails when it becomes a program. */
function compile(source: string, declarations: Declarations, expected: Expectation): Compilation {
  try {
    const expression = compileExpression(source, declarations);
    return expression.type.kind === expected.kind ? { expression } : { problem: expected.otherKind };
  } catch (error) {
    if (error instanceof CompileError) {
      return { problem: `${expected.compilation} failed: ${error.message}` };
    }
    if (error instanceof ProgramError) {
      const isExpected = error.type.kind === expected.kind;
      return {
        problem: isExpected ? `${expected.program} instantiation failed: ${error.message}` : expected.otherKind,
      };
    }
    throw error;
  }
}

function fieldPathOf({ fieldPath }: ValidationRule, schema: JsonObject): string {
  return fieldPath === "" ? "" : (normalFieldPath(fieldPath, schema) ?? "");
}
