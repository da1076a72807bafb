import { trimSpace } from "@gatehouse/envelopes/go";
import type { JsonObject } from "@gatehouse/envelopes/json";
import {
  type CelType,
  type CompilationSteps,
  type CompiledExpression,
  type Declarations,
  isWrapperType,
  type ObserveExpression,
  optionalType,
  type ProblemOfType,
  tryCompileExpression,
} from "../../cel/index.js";
import { celTypeOf, type DeclaredType } from "./declared-type.js";
import { type ExpressionMetrics, unmeasuredExpressions } from "./expression-metrics.js";
import { normalFieldPath } from "./rule-field-path.js";
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

/**
 * Returns the observer of an expression of a rule. `path`: its place below the node of the schema, such as
 * `x-kubernetes-validations[0].messageExpression`.
 */
export type ObserveRules = (path: string) => ObserveExpression;

/** The listeners to the compilation and evaluation of rules. */
export interface RuleListeners {
  readonly metrics?: ExpressionMetrics | undefined;
  readonly observe?: ObserveRules | undefined;
}

/** Compiles the rules of one node of a schema, without those of the nodes below it. */
export function* compileRules(
  schema: JsonObject,
  declared: DeclaredType,
  environments: Environments,
  { metrics: { now, compiled } = unmeasuredExpressions, observe }: RuleListeners = {},
): Generator<CompiledRule, void, undefined> {
  const self = celTypeOf(declared, placeholderName());
  let seconds = 0;
  for (const [index, source] of rulesOf(schema).entries()) {
    const begin = now();
    const observeMember = observe && ((member: string) => observe(`x-kubernetes-validations[${index}].${member}`));
    const rule = compileRule({ schema, source, environments, observe: observeMember }, self);
    seconds += now() - begin;
    yield rule;
  }
  compiled(seconds);
}

/** Returns a name for the type of `self` that differs from time to time, so that no expression can rely on it. */
function placeholderName(): string {
  return `selfType${Math.floor(Math.random() * 1e9)}`;
}

const messageSteps: CompilationSteps = { check: "messageExpression compilation", program: "messageExpression" };

/** A rule, and its place. */
interface RuleSource {
  readonly schema: JsonObject;
  readonly source: ValidationRule;
  readonly environments: Environments;
  /** Returns the observer of the expression of a member. */
  readonly observe: ObserveRules | undefined;
}

function compileRule({ schema, source, environments, observe }: RuleSource, self: CelType): CompiledRule {
  if (trimSpace(source.rule) === "") {
    return { source, usesOldSelf: false, fieldPath: "" };
  }
  const variables = new Map([
    ["self", self],
    ["oldSelf", source.optionalOldSelf ? optionalType(self) : self],
  ]);
  const rule = tryCompileExpression(source.rule, environments.ofRule(source.rule).withVariables(variables), {
    problemOfType: mustBe("bool", "cel expression must evaluate to a bool"),
    observe: observe?.("rule"),
  });
  if (rule.expression === undefined) {
    return { source, problem: rule.problem, usesOldSelf: false, fieldPath: "" };
  }
  const usesOldSelf = usesVariable(rule.expression.checked, "oldSelf");
  const compiled = { source, expression: rule.expression, usesOldSelf, fieldPath: fieldPathOf(source, schema) };
  if (source.messageExpression === "") {
    return compiled;
  }
  const declarations = environments.ofMessage(source.messageExpression).withVariables(variables);
  const message = tryCompileExpression(source.messageExpression, declarations, {
    steps: messageSteps,
    problemOfType: mustBe("string", "messageExpression must evaluate to a string"),
    observe: observe?.("messageExpression"),
  });
  return message.expression === undefined
    ? { ...compiled, messageProblem: message.problem }
    : { ...compiled, messageExpression: message.expression };
}

function mustBe(kind: CelType["kind"], problem: string): ProblemOfType {
  return (type) => (type.kind === kind && !isWrapperType(type) ? undefined : problem);
}

function fieldPathOf({ fieldPath }: ValidationRule, schema: JsonObject): string {
  return fieldPath === "" ? "" : (normalFieldPath(fieldPath, schema) ?? "");
}
