import type { JsonObject } from "@gatehouse/envelopes/json";
import {
  type CelType,
  CompileError,
  compileExpression,
  type Declarations,
  dynType,
  newExpressions,
  ProgramError,
} from "@gatehouse/policies/cel";
import type { Hook } from "../hooks/hook.js";
import type { Node, VariableNode } from "./node.js";
import { collectVariables, NodePrinter } from "./print-node.js";
import { requestType } from "./request-facts.js";
import { type ValidationReason, validationAnswers } from "./validation-reason.js";

/** A validation whose expressions are trees. */
export interface ValidationTrees {
  readonly check: Node;
  readonly message: Node;
  readonly reason: ValidationReason;
}

/** The part of a ValidatingAdmissionPolicy that is made of expressions, as it is written in one. */
export interface PrintedPolicy {
  readonly variables: readonly { readonly name: string; readonly expression: string }[];
  readonly validations: readonly {
    readonly expression: string;
    readonly message?: string;
    readonly messageExpression?: string;
    readonly reason: ValidationReason;
  }[];
}

/** A hook whose decision is made of expressions, and the policy that decides the same in a server. */
export interface PolicyHook extends Hook {
  readonly policy: PrintedPolicy;
}

/** An action of a server about what a policy denies. */
export type PolicyAction = "Deny" | "Warn" | "Audit";

/** Returns true if the hook is made of expressions. */
export function isPolicyHook(hook: Hook): hook is PolicyHook {
  return "policy" in hook;
}

/** Prints the expressions of a hook. Throws TypeError for what a policy cannot say. */
export function printPolicy({ rules }: Hook, validations: readonly ValidationTrees[]): PrintedPolicy {
  const other = rules.flatMap(({ operations }) => operations).find((name) => name !== "CREATE" && name !== "UPDATE");
  if (other !== undefined) {
    throw new TypeError(`rules: the operation ${other} has no object; a policy hook is about CREATE and UPDATE`);
  }
  if (validations.length === 0) {
    throw new TypeError("validations: at least one is required");
  }
  const compiler = new PolicyCompiler();
  return Object.freeze({
    validations: validations.map((validation, index) => printValidation(validation, index, compiler)),
    variables: compiler.variables,
  });
}

function printValidation(
  { check, message, reason }: ValidationTrees,
  index: number,
  compiler: PolicyCompiler,
): PrintedPolicy["validations"][number] {
  const path = `validations[${index}]`;
  if (!Object.hasOwn(validationAnswers, reason)) {
    throw new TypeError(`${path}.reason: must be one of ${Object.keys(validationAnswers).join(", ")}`);
  }
  const expression = compiler.print(check, `${path}.check`, "bool");
  if (message.op !== "literal") {
    return { expression, messageExpression: compiler.print(message, `${path}.message`, "string"), reason };
  }
  const text = message.value;
  if (typeof text !== "string" || text.trim() === "" || text.includes("\n")) {
    throw new TypeError(`${path}.message: must be a line of text`);
  }
  return { expression, message: text, reason };
}

/** Prints expressions and compiles the result, so that no policy is printed which a server would refuse. */
class PolicyCompiler {
  readonly variables: { readonly name: string; readonly expression: string }[] = [];
  readonly #known = new Set<VariableNode>();
  readonly #types = new Map<string, CelType>();
  #declarations: Declarations = declarationsWith(this.#types);

  print(node: Node, path: string, type: "bool" | "string"): string {
    const found = new Set(this.#known);
    collectVariables(node, found);
    for (const variable of found) {
      this.#declare(variable);
    }
    const { text, type: actual } = this.#compile(node, path);
    if (actual.kind !== type && actual.kind !== "dyn") {
      throw new TypeError(`${path}: is of type ${actual.kind}, and must be of type ${type}: ${text}`);
    }
    return text;
  }

  #declare(variable: VariableNode): void {
    if (this.#known.has(variable)) {
      return;
    }
    const { name, value } = variable;
    const path = `variable ${JSON.stringify(name)}`;
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
      throw new TypeError(`${path}: the name must be made of letters, digits and underscores`);
    }
    if (this.#types.has(name)) {
      throw new TypeError(`${path}: another variable has this name`);
    }
    const { text, type } = this.#compile(value, path);
    this.#known.add(variable);
    this.variables.push({ name, expression: text });
    this.#types.set(name, type);
    this.#declarations = declarationsWith(this.#types);
  }

  #compile(node: Node, path: string): { readonly text: string; readonly type: CelType } {
    try {
      const text = new NodePrinter().print(node);
      return { text, type: compileExpression(text, this.#declarations).type };
    } catch (error) {
      if (error instanceof CompileError || error instanceof ProgramError || error instanceof TypeError) {
        throw new TypeError(`${path}: ${error.message}`, { cause: error });
      }
      throw error;
    }
  }
}

function declarationsWith(types: ReadonlyMap<string, CelType>): Declarations {
  return newExpressions.withVariables(
    new Map<string, CelType>([
      ["object", dynType],
      ["oldObject", dynType],
      ["request", requestType],
      ...[...types].map(([name, type]): [string, CelType] => [`variables.${name}`, type]),
    ]),
  );
}

/**
 * Returns the ValidatingAdmissionPolicy and the binding that put a hook's policy into effect in all namespaces.
 * `actions`: what a server does about a denial.
 */
export function policyObjects(hook: PolicyHook, actions: readonly PolicyAction[]): JsonObject[] {
  const { name, rules, failurePolicy, matchPolicy, namespaceSelector, objectSelector, matchConditions, policy } = hook;
  const apiVersion = "admissionregistration.k8s.io/v1beta1";
  const metadata = { name };
  const { variables, validations } = policy;
  const spec = {
    failurePolicy,
    matchConstraints: {
      matchPolicy,
      ...(isEmpty(namespaceSelector) ? {} : { namespaceSelector }),
      ...(isEmpty(objectSelector) ? {} : { objectSelector }),
      resourceRules: rules,
    },
    ...(matchConditions.length === 0 ? {} : { matchConditions }),
    ...(variables.length === 0 ? {} : { variables }),
    validations,
  };
  return [
    { apiVersion, kind: "ValidatingAdmissionPolicy", metadata, spec },
    {
      apiVersion,
      kind: "ValidatingAdmissionPolicyBinding",
      metadata,
      spec: { policyName: name, validationActions: actions },
    },
  ] as unknown as JsonObject[];
}

function isEmpty(selector: object): boolean {
  return Object.keys(selector).length === 0;
}
