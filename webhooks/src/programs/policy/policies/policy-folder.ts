import { ConfigurationError } from "@gatehouse/component-base/errors";
import { readObjectsOf, type SourceDocument } from "@gatehouse/component-base/manifests";
import { type Problem, problemAt } from "@gatehouse/component-base/problems";
import { type JsonObject, textAt } from "@gatehouse/envelopes/json";
import { compileBinding, type PolicyBinding } from "@gatehouse/policies/admission-expressions";
import { isDefinition } from "../../../toolkit/testing/custom-kind.js";
import { BadObjectError, prepareObject } from "../../../toolkit/testing/prepare-object.js";
import { type FoundDefinition, foundDefinition } from "../definitions/found-definition.js";
import type { AppliedPolicies } from "./policy-outcome.js";
import { policyProblems } from "./policy-problems.js";
import { TracedPolicy } from "./traced-policy.js";

/** A policy of a folder, with its bindings. */
export interface FoundPolicy {
  readonly name: string;
  readonly file: string;
  readonly object: JsonObject;
  readonly traced: TracedPolicy;
  /** The documents of the bindings, with their defaults. */
  readonly bindingObjects: readonly JsonObject[];
  /** The bindings; one that denies if the folder has none. */
  readonly bindings: readonly PolicyBinding[];
  /** True if the folder has no binding. */
  readonly isUnbound: boolean;
}

/** The documents of a folder that concern policies. */
export interface PolicyFolder {
  /** The policies in the order of their names, in which servers evaluate them. */
  readonly policies: readonly FoundPolicy[];
  /** The definitions in the order of their names. */
  readonly definitions: readonly FoundDefinition[];
  /** Documents of kind PolicyCases. */
  readonly cases: readonly SourceDocument[];
  /** All other objects: parameters, namespaces, and the definitions of their kinds. */
  readonly objects: readonly JsonObject[];
}

/** Reads a file or a folder with all folders in it. Throws ConfigurationError with all problems of its policies. */
export async function readPolicyFolder(path: string): Promise<PolicyFolder> {
  const documents = await readObjectsOf([path]);
  const problems: Problem[] = [];
  const bindings = documents.filter(isPolicyKind("ValidatingAdmissionPolicyBinding")).flatMap((document) => {
    const object = prepared(document, problems);
    return object === undefined ? [] : [object];
  });
  const policies = documents.filter(isPolicyKind("ValidatingAdmissionPolicy")).flatMap((document) => {
    const object = prepared(document, problems);
    return object === undefined ? [] : [foundPolicy(document, object, bindings, problems)];
  });
  const definitions = documents
    .filter(({ content }) => isDefinition(content))
    .flatMap((document) => {
      const found = attempted(document, problems, () => foundDefinition(document, problems));
      return found === undefined ? [] : [found];
    });
  problems.push(...repeatedNames("policy", policies), ...repeatedNames("definition", definitions));
  if (problems.length > 0) {
    throw new ConfigurationError(path, problems);
  }
  return {
    policies: policies.toSorted(byName),
    definitions: definitions.toSorted(byName),
    cases: documents.filter(isCases),
    objects: documents.filter((document) => !isConcernedWithPolicies(document)).map(({ content }) => content),
  };
}

/** Returns policies as they are applied, with their bindings in the order of their names. */
export function appliedPolicies(found: readonly FoundPolicy[]): AppliedPolicies {
  return {
    policies: found.map(({ traced }) => traced.policy),
    bindings: found.flatMap(({ bindings }) => bindings).toSorted(byName),
  };
}

function isPolicyKind(kind: string): (document: SourceDocument) => boolean {
  return ({ content }) =>
    content["kind"] === kind && textAt(content, "apiVersion").startsWith("admissionregistration.k8s.io/");
}

function isCases({ content }: SourceDocument): boolean {
  return content["kind"] === "PolicyCases" && textAt(content, "apiVersion").startsWith("config.gatehouse.dev/");
}

function isConcernedWithPolicies(document: SourceDocument): boolean {
  return (
    isCases(document) ||
    isPolicyKind("ValidatingAdmissionPolicy")(document) ||
    isPolicyKind("ValidatingAdmissionPolicyBinding")(document)
  );
}

/** Returns an object with its defaults. Undefined, and a problem, if no server would take it. */
function prepared(document: SourceDocument, problems: Problem[]): JsonObject | undefined {
  return attempted(document, problems, () => prepareObject(document.content));
}

/** Returns what is made of a document. Undefined, and a problem, if no server would take it. */
function attempted<T>({ file, line }: SourceDocument, problems: Problem[], make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof BadObjectError)) {
      throw error;
    }
    problems.push(problemAt(`${file}:${line}`, error.message));
    return undefined;
  }
}

function foundPolicy(
  { file, line }: SourceDocument,
  object: JsonObject,
  bindings: readonly JsonObject[],
  problems: Problem[],
): FoundPolicy {
  const traced = new TracedPolicy(object);
  const name = nameOf(object);
  problems.push(...policyProblems(object, traced.policy).map(({ message }) => problemAt(`${file}:${line}`, message)));
  const bindingObjects = bindings.filter((binding) => textAt(binding, "spec", "policyName") === name);
  const isUnbound = bindingObjects.length === 0;
  const compiled = isUnbound ? [denyingBinding(name)] : bindingObjects.map(compileBinding);
  return { name, file, object, traced, bindingObjects, bindings: compiled, isUnbound };
}

/** Returns a binding for a policy that has none: it is about all writes of the policy, and denies. */
function denyingBinding(policyName: string): PolicyBinding {
  return { name: policyName, policyName, matchResources: undefined, paramRef: undefined, actions: ["Deny"] };
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1;
}

function repeatedNames(sort: string, found: readonly Pick<FoundPolicy, "name" | "file">[]): readonly Problem[] {
  const files = new Map<string, string>();
  return found.flatMap(({ name, file }) => {
    const first = files.get(name);
    files.set(name, first ?? file);
    return first === undefined ? [] : [problemAt(file, `the ${sort} ${name} is in ${first}, too`)];
  });
}

function nameOf(object: JsonObject): string {
  return textAt(object, "metadata", "name");
}
