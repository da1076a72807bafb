import { type AdmissionDecision, allow, deny } from "../decision/decision.js";
import type { AdmissionRequest } from "../handlers/admission-request.js";
import { type Hook, validatingHook } from "../hooks/hook.js";
import type { HookOptions } from "../hooks/hook-options.js";
import { booleanOf, compileNode, type Evaluate, type Frame } from "./compile-node.js";
import { type AbsentPath, nodeOf, type Operand, type Path, pathOf } from "./expression.js";
import { type PolicyHook, printPolicy } from "./print-policy.js";
import { factsOf, type RequestFacts } from "./request-facts.js";
import { type ValidationReason, validationAnswers } from "./validation-reason.js";
import { ExpressionError, type Value } from "./values.js";

/** A check that must be true, and what the client is told otherwise. */
export interface Validation {
  readonly check: Operand<boolean>;
  /** A line, or an expression that makes one. One that fails, or makes none of at most 5 KiB, is replaced by the check. */
  readonly message: Operand<string>;
  /** Reason in the Status of a denial. Default `Invalid`. */
  readonly reason?: ValidationReason;
}

/** The paths that the validations of a hook begin with. `T` is the type of the objects. */
export interface PolicySubject<T> {
  /** The object as it would be stored. */
  readonly object: Path<T>;
  /** The object as it is stored now; absent when one is created. */
  readonly oldObject: AbsentPath<T>;
  readonly request: Path<RequestFacts>;
}

/** Options of a hook that is also a policy. */
export interface PolicyHookOptions<T>
  extends Omit<HookOptions, "handler" | "workloads" | "reads" | "sideEffects" | "rules"> {
  /** Rules of the requests to be asked about, of the operations CREATE and UPDATE. */
  readonly rules: HookOptions["rules"] & object;
  readonly validations: (subject: PolicySubject<T>) => readonly Validation[];
}

interface CompiledValidation {
  readonly check: Evaluate;
  readonly message: Evaluate;
  /** The message if `message` makes none. */
  readonly fallback: string;
  readonly reason: ValidationReason;
}

const maxMessageBytes = 5 * 1024;

/**
 * Declares a validating hook by expressions, which are evaluated by the hook and printed as a ValidatingAdmissionPolicy.
 * Throws TypeError, which lists what is wrong with the declaration, and what CEL cannot say.
 *
 * @example
 * const noLatestTag = policyHook<appsV1.Deployment>({
 *   name: "no-latest-tag.example.com",
 *   rules: [{ operations: ["CREATE", "UPDATE"], apiGroups: ["apps"], apiVersions: ["v1"], resources: ["deployments"] }],
 *   validations: ({ object }) => [
 *     {
 *       check: all(object.spec.template.spec.containers, ({ image }) => not(endsWith(orValue(image, ""), ":latest"))),
 *       message: "name a version of each image",
 *     },
 *   ],
 * });
 */
export function policyHook<T>(options: PolicyHookOptions<T>): PolicyHook {
  const { validations: declare, ...hookOptions } = options;
  const hook = validatingHook({ ...hookOptions, handler: allow });
  try {
    const validations = declare({
      object: pathOf<T>({ op: "root", name: "object" }),
      oldObject: pathOf<T>({ op: "root", name: "oldObject" }),
      request: pathOf<RequestFacts>({ op: "root", name: "request" }),
    }).map(({ check, message, reason = "Invalid" }) => ({ check: nodeOf(check), message: nodeOf(message), reason }));
    const policy = printPolicy(hook, validations);
    const compiled = validations.map(({ check, message, reason }, index) => ({
      check: compileNode(check),
      message: compileNode(message),
      fallback: `failed expression: ${policy.validations[index]?.expression}`,
      reason,
    }));
    return Object.freeze<PolicyHook>({
      ...hook,
      handler: (request) => decide(compiled, frameOf(request), hook.failurePolicy),
      policy,
    });
  } catch (error) {
    throw error instanceof TypeError
      ? new TypeError(`hook ${JSON.stringify(options.name)}: ${error.message}`, { cause: error })
      : error;
  }
}

/**
 * Decides as a server does on the printed policy: in the order of the validations, by the first that is false or cannot be
 * evaluated; with the failure policy Ignore, by the first that is false.
 */
function decide(
  validations: readonly CompiledValidation[],
  frame: Frame,
  failurePolicy: Hook["failurePolicy"],
): AdmissionDecision {
  let failure: ExpressionError | undefined;
  for (const validation of validations) {
    try {
      if (!booleanOf(validation.check(frame))) {
        return deny(messageOf(validation, frame), validationAnswers[validation.reason]);
      }
    } catch (error) {
      if (!(error instanceof ExpressionError)) {
        throw error;
      }
      failure ??= error;
      if (failurePolicy === "Fail") {
        throw error;
      }
    }
  }
  if (failure !== undefined) {
    throw failure;
  }
  return allow();
}

function messageOf({ message, fallback }: CompiledValidation, frame: Frame): string {
  let made: Value = null;
  try {
    made = message(frame);
  } catch (error) {
    if (!(error instanceof ExpressionError)) {
      throw error;
    }
  }
  const line = typeof made === "string" ? made.trim() : "";
  return line === "" || line.includes("\n") || Buffer.byteLength(line) > maxMessageBytes ? fallback : line;
}

function frameOf(request: AdmissionRequest): Frame {
  const { object = null, oldObject = null } = request;
  return {
    roots: { object: object as Value, oldObject: oldObject as Value, request: factsOf(request) },
    variables: new Map(),
    elements: [],
  };
}
