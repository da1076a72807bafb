import { ConfigurationError } from "@gatehouse/component-base/errors";
import { type Problem, problemAt } from "@gatehouse/component-base/problems";
import { type JsonObject, textAt } from "@gatehouse/envelopes/json";
import { compileBinding, type PolicyBinding } from "@gatehouse/policies/admission-expressions";
import { BadObjectError, prepareObject } from "../../../toolkit/testing/prepare-object.js";
import { listDocumentFiles, readObjects, type SourceDocument } from "../../read-documents.js";
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
  /** Names of CustomResourceDefinitions. */
  readonly definitions: ReadonlySet<string>;
  /** Documents of kind PolicyCases. */
  readonly cases: readonly SourceDocument[];
  /** All other objects: parameters, namespaces, and the definitions of their kinds. */
  readonly objects: readonly JsonObject[];
}

/** Reads a file or a folder with all folders in it. Throws ConfigurationError with all problems of its policies. */
export async function readPolicyFolder(path: string): Promise<PolicyFolder> {
  const documents: SourceDocument[] = [];
  for (const file of await listDocumentFiles(path)) {
    documents.push(...(await readObjects(file)));
  }
  const problems: Problem[] = [];
  const bindings = documents.filter(isPolicyKind("ValidatingAdmissionPolicyBinding")).flatMap((document) => {
    const object = prepared(document, problems);
    return object === undefined ? [] : [object];
  });
  const policies = documents.filter(isPolicyKind("ValidatingAdmissionPolicy")).flatMap((document) => {
    const object = prepared(document, problems);
    return object === undefined ? [] : [foundPolicy(document, object, bindings, problems)];
  });
  problems.push(...repeatedNames(policies));
  if (problems.length > 0) {
    throw new ConfigurationError(path, problems);
  }
  return {
    policies: policies.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    definitions: new Set(documents.filter(isDefinition).map(({ content }) => nameOf(content))),
    cases: documents.filter(isCases),
    objects: documents.filter((document) => !isConcernedWithPolicies(document)).map(({ content }) => content),
  };
}

/** Returns policies as they are applied, with their bindings in the order of their names. */
export function appliedPolicies(found: readonly FoundPolicy[]): AppliedPolicies {
  return {
    policies: found.map(({ traced }) => traced.policy),
    bindings: found.flatMap(({ bindings }) => bindings).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  };
}

function isPolicyKind(kind: string): (document: SourceDocument) => boolean {
  return ({ content }) =>
    content["kind"] === kind && textAt(content, "apiVersion").startsWith("admissionregistration.k8s.io/");
}

function isDefinition({ content }: SourceDocument): boolean {
  return (
    content["kind"] === "CustomResourceDefinition" && textAt(content, "apiVersion").startsWith("apiextensions.k8s.io/")
  );
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
function prepared({ file, line, content }: SourceDocument, problems: Problem[]): JsonObject | undefined {
  try {
    return prepareObject(content);
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

function repeatedNames(policies: readonly FoundPolicy[]): readonly Problem[] {
  const files = new Map<string, string>();
  return policies.flatMap(({ name, file }) => {
    const first = files.get(name);
    files.set(name, first ?? file);
    return first === undefined ? [] : [problemAt(file, `the policy ${name} is in ${first}, too`)];
  });
}

function nameOf(object: JsonObject): string {
  return textAt(object, "metadata", "name");
}
