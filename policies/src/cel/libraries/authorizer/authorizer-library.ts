import { validateLabelName, validateSubdomainName } from "@gatehouse/envelopes/validation";
import { exactly } from "../../cost/range.js";
import { type CelType, opaqueType } from "../../types/cel-type.js";
import { EvaluationError } from "../../values/evaluation-error.js";
import type { CelValue } from "../../values/value.js";
import { inRules } from "../call-cost.js";
import type { FunctionDefinition, Library } from "../library.js";
import { trim } from "../strings/letters.js";
import { typedCall } from "../typed-call.js";
import {
  AuthorizerValue,
  DecisionValue,
  GroupCheckValue,
  PathCheckValue,
  ResourceCheckValue,
} from "./authorizer-values.js";

const prefix = "kubernetes.authorization";

/** The cost of a check where costs of libraries are counted: an expression, which may cost a million, asks two questions. */
const checkCost = 350_000;

const costOfCheck = (): number => checkCost;

/** The types of the variables that expressions may ask for access. */
export const authorizerType: CelType = opaqueType(`${prefix}.Authorizer`);
export const resourceCheckType: CelType = opaqueType(`${prefix}.ResourceCheck`);

function member<Target extends CelValue>(
  name: string,
  target: string,
  rest: string,
  call: (target: Target, ...texts: string[]) => CelValue,
): FunctionDefinition {
  return {
    name,
    overloads: [{ signature: `${prefix}.${target}.${rest}`, call: typedCall<[Target, ...string[]]>(call) }],
  };
}

/** The functions that ask an authorizer. */
export const authorizer: Library = {
  name: "authorizer",
  introduced: [1, 27],
  types: new Map(
    ["Authorizer", "PathCheck", "GroupCheck", "ResourceCheck", "Decision"].map((name) => [
      `${prefix}.${name}`,
      opaqueType(`${prefix}.${name}`),
    ]),
  ),
  functions: [
    member("path", "Authorizer", `(string) -> ${prefix}.PathCheck`, (target: AuthorizerValue, path = "") => {
      requireText(path, "path must not be empty");
      return new PathCheckValue(target, path);
    }),
    member(
      "group",
      "Authorizer",
      `(string) -> ${prefix}.GroupCheck`,
      (target: AuthorizerValue, group = "") => new GroupCheckValue(target, group),
    ),
    member("serviceAccount", "Authorizer", `(string, string) -> ${prefix}.Authorizer`, asServiceAccount),
    member("resource", "GroupCheck", `(string) -> ${prefix}.ResourceCheck`, resourceOf),
    partOfResource("subresource"),
    partOfResource("namespace"),
    partOfResource("name"),
    check(),
    member("allowed", "Decision", "() -> bool", ({ decision }: DecisionValue) => decision.allowed),
    member("reason", "Decision", "() -> string", ({ decision }: DecisionValue) => decision.reason),
    member("errored", "Decision", "() -> bool", ({ decision }: DecisionValue) => decision.error !== undefined),
    member("error", "Decision", "() -> string", ({ decision }: DecisionValue) => decision.error ?? ""),
  ],
};

function partOfResource(name: "subresource" | "namespace" | "name"): FunctionDefinition {
  const call = (target: ResourceCheckValue, value = ""): CelValue => target.with({ [name]: value });
  return member(name, "ResourceCheck", `(string) -> ${prefix}.ResourceCheck`, call);
}

function check(): FunctionDefinition {
  const overloads = ["PathCheck", "ResourceCheck"].map((target) => ({
    signature: `${prefix}.${target}.(string) -> ${prefix}.Decision`,
    call: typedCall(decide),
    ...inRules(costOfCheck),
    estimate: () => ({ cost: exactly(BigInt(checkCost)) }),
  }));
  return { name: "check", overloads };
}

function decide(target: PathCheckValue | ResourceCheckValue, verb: string): DecisionValue {
  const { answers, serviceAccount } = target.authorizer;
  const asked = { verb, serviceAccount };
  return new DecisionValue(
    target instanceof PathCheckValue
      ? answers.decide({ ...asked, isResource: false, path: target.path })
      : answers.decide({ ...asked, isResource: true, ...target.parts }),
  );
}

function resourceOf({ authorizer: target, group }: GroupCheckValue, resource = ""): ResourceCheckValue {
  requireText(resource, "resource must not be empty");
  return new ResourceCheckValue(target, { group, resource, subresource: "", namespace: "", name: "" });
}

function asServiceAccount(target: AuthorizerValue, namespace = "", name = ""): AuthorizerValue {
  if (validateSubdomainName(name).length > 0) {
    throw new EvaluationError("Invalid service account name");
  }
  if (validateLabelName(namespace).length > 0) {
    throw new EvaluationError("Invalid service account namespace");
  }
  return new AuthorizerValue(target.answers, { namespace, name });
}

function requireText(text: string, problem: string): void {
  if (trim(text) === "") {
    throw new EvaluationError(problem);
  }
}
