import { type JsonObject, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";
import { fieldError } from "@gatehouse/envelopes/status";
import { compileBinding, Policy, type PolicyBinding } from "@gatehouse/policies/admission-expressions";
import { matchConditionProblems } from "../hooks/match-condition-problems.js";
import { prepareObject } from "./prepare-object.js";

const versions: readonly unknown[] = ["v1beta1", "v1alpha1"].map(
  (version) => `admissionregistration.k8s.io/${version}`,
);

/** Reports whether a document is a ValidatingAdmissionPolicy. */
export function isPolicy({ apiVersion, kind }: JsonObject): boolean {
  return kind === "ValidatingAdmissionPolicy" && versions.includes(apiVersion);
}

/** Reports whether a document is a ValidatingAdmissionPolicyBinding. */
export function isBinding({ apiVersion, kind }: JsonObject): boolean {
  return kind === "ValidatingAdmissionPolicyBinding" && versions.includes(apiVersion);
}

/** Policies and their bindings, in the order of their names. The last of several documents of a name counts. */
export class PolicySet {
  readonly policies: readonly Policy[];
  readonly bindings: readonly PolicyBinding[];
  readonly #documents: ReadonlyMap<string, JsonObject>;

  /** Takes the policies and bindings of a list. Throws BadObjectError for one that no server would take. */
  constructor(documents: readonly JsonObject[]) {
    this.#documents = byName(documents.filter(isPolicy));
    this.policies = [...this.#documents.values()].map((document) => new Policy(document));
    this.bindings = [...byName(documents.filter(isBinding)).values()].map(compileBinding);
  }

  /** The documents of the policies, with their defaults. */
  get documents(): readonly JsonObject[] {
    return [...this.#documents.values()];
  }
}

function byName(documents: readonly JsonObject[]): ReadonlyMap<string, JsonObject> {
  const named = documents.map((document): [string, JsonObject] => [textAt(document, "metadata", "name"), document]);
  const last = [...new Map(named)].sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map(last.map(([name, document]) => [name, prepareObject(document)]));
}

/** Returns the expressions of a policy that do not compile, as a server says it: with the path of each. */
export function policyProblems(document: JsonObject): readonly string[] {
  const { paramKind, program } = new Policy(document);
  const conditions = listAt(document, "spec", "matchConditions").map((condition) => ({
    name: textAt(condition, "name"),
    expression: textAt(condition, "expression"),
  }));
  const variables = listAt(document, "spec", "variables");
  const compiled = [
    ...variables.map((variable, index) => ({
      path: `spec.variables[${index}].expression`,
      source: textAt(variable, "expression"),
      problem: program.variables.get(textAt(variable, "name"))?.expression.problem,
    })),
    ...program.validations.flatMap(({ expression, messageExpression }, index) => [
      { path: `spec.validations[${index}].expression`, ...expression },
      ...(messageExpression ? [{ path: `spec.validations[${index}].messageExpression`, ...messageExpression }] : []),
    ]),
    ...program.annotations.map(({ value }, index) => ({
      path: `spec.auditAnnotations[${index}].valueExpression`,
      ...value,
    })),
  ];
  return [
    ...matchConditionProblems(conditions, { path: "spec.matchConditions", hasParams: paramKind !== undefined }),
    ...compiled.flatMap(({ path, source, problem }) => {
      return problem === undefined ? [] : [`${path}: ${fieldError.invalid(path, source, problem).message}`];
    }),
  ];
}

/** Returns the rules of a policy by which it names resources. */
export function policyRules(document: JsonObject): readonly JsonObject[] {
  return listAt(objectAt(document, "spec", "matchConstraints"), "resourceRules") as readonly JsonObject[];
}
