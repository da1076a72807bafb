import { trimSpace } from "@gatehouse/envelopes/go";
import { andThen, type MaybePromise } from "@gatehouse/envelopes/scheduling";
import { AdmissionVariables, type AdmissionVariablesInit } from "../admission-variables.js";
import { ComposedVariables } from "../composed-variables.js";
import {
  type ExpressionResult,
  evaluateExpressions,
  type ListedExpression,
  type ListResult,
} from "../evaluate-expressions.js";
import type { Policy } from "./policy.js";
import type { PolicyProgram, PolicyValidation } from "./policy-program.js";

/** The cost that the validations of one binding, or its audit annotations, may have together for one write. */
const policyBudget = 10_000_000;

/** The largest message that an expression may make; a longer one is replaced by the message that stands in the policy. */
const maxMessageBytes = 5 * 1024;

/** The decision of one validation. `failed`: it could not be evaluated, which is ignored. */
export type PolicyDecision =
  | { readonly action: "admit"; readonly failed: boolean }
  | { readonly action: "deny"; readonly message: string; readonly reason?: string | undefined };

/** The value of an audit annotation, or the error that denies the write. */
export type AnnotationResult =
  | { readonly key: string; readonly value: string; readonly error?: undefined }
  | { readonly key: string; readonly error: string };

/** The result of a policy for one write, one binding and one value of `params`. */
export interface PolicyResult {
  /** The decisions of the validations, in their order; or the one decision of a policy that could not be evaluated. */
  readonly decisions: readonly PolicyDecision[];
  readonly annotations: readonly AnnotationResult[];
}

/** Returns the result of a policy that could not be evaluated as a whole. */
export function failedPolicy(policy: Policy, message: string): PolicyResult {
  return { decisions: [failedDecision(policy, message)], annotations: [] };
}

function failedDecision({ ignoresFailure }: Policy, message: string): PolicyDecision {
  return ignoresFailure ? { action: "admit", failed: true } : { action: "deny", message };
}

/**
 * Evaluates the validations of a policy, then its message expressions with the budget that is left, then its audit
 * annotations. As in v1.29, only validations may use the authorizer, and all message expressions are evaluated, since all
 * of them count toward the budget. Synchronous where nothing takes long. Rejects with 504 when the write ends first.
 */
export function evaluatePolicy(policy: Policy, init: AdmissionVariablesInit): MaybePromise<PolicyResult> {
  const { validations, annotations } = policy.program;
  const withoutAuthorizer = { ...init, hasAuthorizer: false };
  return andThen(evaluateList(policy.program, init, expressionsOf(validations), policyBudget), (validated) => {
    if (validated.results === undefined) {
      return failedPolicy(policy, validated.problem);
    }
    const { results } = validated;
    return andThen(messagesOf(policy.program, withoutAuthorizer, validated.remainingBudget), (messages) => {
      const decisions = validations.map((validation, index) =>
        decisionOf(policy, validation, results[index], messages),
      );
      const values = annotations.map(({ value }) => value);
      return andThen(evaluateList(policy.program, withoutAuthorizer, values, policyBudget), (annotated) =>
        annotated.results === undefined
          ? failedPolicy(policy, annotated.problem)
          : { decisions, annotations: annotationsOf(policy, annotated.results) },
      );
    });
  });
}

function decisionOf(
  policy: Policy,
  validation: PolicyValidation,
  result: ExpressionResult | undefined,
  messages: Messages,
): PolicyDecision {
  if (result?.error !== undefined) {
    return failedDecision(policy, result.error);
  }
  if (messages.problem !== undefined) {
    return failedDecision(policy, `failed messageExpression: ${messages.problem}`);
  }
  return result?.value === true
    ? admitted
    : { action: "deny", message: messages.of(validation), reason: validation.reason ?? "Invalid" };
}

const admitted: PolicyDecision = { action: "admit", failed: false };

function expressionsOf(validations: readonly PolicyValidation[]): readonly ListedExpression[] {
  return validations.map(({ expression }) => expression);
}

/** Evaluates a list of expressions, which have the composed variables of the policy to themselves. */
function evaluateList(
  { variables: composed }: PolicyProgram,
  init: AdmissionVariablesInit,
  expressions: readonly ListedExpression[],
  budget: number,
): MaybePromise<ListResult> {
  if (expressions.length === 0) {
    return { results: [], remainingBudget: budget };
  }
  const variables = new AdmissionVariables(init);
  const values = new ComposedVariables(composed, variables);
  variables.variables = values;
  return evaluateExpressions(expressions, {
    variables,
    budget,
    write: init.write,
    takeVariablesCost: () => values.takeCost(),
  });
}

/** The messages of validations that fail. */
interface Messages {
  /** The problem that ended the evaluation of all message expressions, if there was one. */
  readonly problem?: string | undefined;
  of(validation: PolicyValidation): string;
}

function messagesOf(program: PolicyProgram, init: AdmissionVariablesInit, budget: number): MaybePromise<Messages> {
  const { computed } = program;
  const expressions = computed.flatMap(({ messageExpression = [] }) => messageExpression);
  return andThen(evaluateList(program, init, expressions, budget), ({ results, problem }) => ({
    problem,
    of(validation) {
      const message = usableMessage(results?.[computed.indexOf(validation)]?.value) || trimSpace(validation.message);
      return message || `failed expression: ${trimSpace(validation.expression.source)}`;
    },
  }));
}

/** Returns the message that an expression has made; empty if it cannot be used. */
function usableMessage(value: unknown): string {
  const message = typeof value === "string" ? trimSpace(value) : "";
  return message.includes("\n") || Buffer.byteLength(message) > maxMessageBytes ? "" : message;
}

function annotationsOf(
  { program: { annotations }, ignoresFailure }: Policy,
  results: NonNullable<ListResult["results"]>,
): readonly AnnotationResult[] {
  return annotations.flatMap(({ key }, index): readonly AnnotationResult[] => {
    const { value, error } = results[index] ?? {};
    if (error !== undefined) {
      return ignoresFailure ? [] : [{ key, error }];
    }
    const text = typeof value === "string" ? trimSpace(value) : "";
    return text === "" ? [] : [{ key, value: text }];
  });
}
