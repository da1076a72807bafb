import { checkConfigDocument } from "@gatehouse/component-base/config-documents";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { problemAt } from "@gatehouse/component-base/problems";
import { type JsonObject, objectAt } from "@gatehouse/envelopes/json";
import type { gatehousepoliciesV1alpha1 } from "@gatehouse/envelopes/types";
import type { ParamRef } from "@gatehouse/policies/admission-expressions";
import { type PolicyCase, readPolicyCases } from "@gatehouse/policies/policy-cases";
import { buildReview, type GivenRequest } from "../../../toolkit/testing/build-review.js";
import { PolicyObjects } from "../../../toolkit/testing/policy-objects.js";
import { BadObjectError } from "../../../toolkit/testing/prepare-object.js";
import { type DefinitionOutcome, outcomeOfDefinitions } from "../definitions/definition-outcome.js";
import { appliedPolicies, type FoundPolicy, type PolicyFolder } from "../policies/policy-folder.js";
import {
  type AppliedPolicies,
  accessOfRules,
  outcomeOf,
  outcomeOfBoth,
  type PolicyOutcome,
  type PolicyRequest,
} from "../policies/policy-outcome.js";
import { variableValues } from "../policies/variable-values.js";
import type { CaseResult } from "./case-result.js";
import { compareOutcome } from "./compare-outcome.js";

const casesKind = { group: "config.gatehouse.dev", version: "v1alpha1", kind: "PolicyCases" };

/** Reads the cases of a folder. Throws ConfigurationError with the problems of all. */
export async function readCases({ cases, policies, definitions }: PolicyFolder): Promise<readonly PolicyCase[]> {
  const files = await Promise.all(
    cases.map(async ({ file, line, content }) => ({
      file,
      content: await checkConfigDocument<gatehousepoliciesV1alpha1.PolicyCases>(
        { subject: `${file}:${line}`, folder: ".", content },
        [casesKind],
      ),
    })),
  );
  const read = readPolicyCases(files, {
    policies: new Set(policies.map(({ name }) => name)),
    definitions: new Set(definitions.map(({ name }) => name)),
  });
  if (read.problems.length > 0) {
    throw new ConfigurationError(
      "cases",
      read.problems.map(({ file, path, text }) => problemAt(`${file}: ${path}`, text)),
    );
  }
  return read.cases;
}

/** Options of cases that no case states. */
export interface CaseOptions {
  /** True with the feature gate CRDValidationRatcheting. */
  readonly ratchets: boolean;
}

/** Runs one case. */
export async function runCase(folder: PolicyFolder, item: PolicyCase, options: CaseOptions): Promise<CaseResult> {
  const policies = folder.policies.filter(({ name }) => item.policies.includes(name));
  const definitions = folder.definitions.filter(({ name }) => item.definitions.includes(name));
  const traces = [...policies, ...definitions].map(({ traced }) => traced);
  const result = (failures: readonly string[]): CaseResult => ({
    case: item,
    failures,
    variables: policies.flatMap(variableValues),
    cost: traces.reduce((sum, { cost }) => sum + cost, 0),
  });
  for (const traced of traces) {
    traced.forget();
  }
  try {
    const request = requestOf(folder, policies, item);
    const ofDefinitions = outcomeOfDefinitions(definitions, request.review, options.ratchets);
    if (definitions.length > 0 && ofDefinitions === undefined) {
      return result([`no definition was evaluated: ${item.definitions.join(", ")} are not about this request`]);
    }
    const outcome = await outcomeOfAll(appliedPolicies(policies), request, ofDefinitions);
    return result(compareOutcome(item.expect, outcome, result([]).cost));
  } catch (error) {
    if (error instanceof BadObjectError) {
      return result([`given: ${error.message}`]);
    }
    throw error;
  }
}

/** Returns the outcome of policies after that of definitions. Policies see no object that its definition refuses. */
async function outcomeOfAll(
  policies: AppliedPolicies,
  request: PolicyRequest,
  ofDefinitions: DefinitionOutcome | undefined,
): Promise<PolicyOutcome> {
  if (ofDefinitions === undefined) {
    return await outcomeOf(policies, request);
  }
  const { outcome, review } = ofDefinitions;
  return outcome.allowed && policies.policies.length > 0
    ? outcomeOfBoth(outcome, await outcomeOf(policies, { ...request, review }))
    : outcome;
}

function requestOf(folder: PolicyFolder, policies: readonly FoundPolicy[], item: PolicyCase): PolicyRequest {
  const { namespaceObject, params: _params, access, namespace = "default", ...request } = item.given;
  const given = { ...request, ...(item.given.namespace !== undefined && { namespace }) } as GivenRequest;
  const namespaces = namespaceObject && [
    {
      ...namespaceObject,
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { ...objectAt(namespaceObject, "metadata"), name: namespace },
    },
  ];
  const objects = [...objectsOf(folder, policies, item), ...(namespaces ?? [])];
  return {
    review: buildReview(given, new PolicyObjects(objects)),
    objects,
    authorizer: accessOfRules(access),
  };
}

/** Returns the objects that policies find: those of the folder, but the parameters of the case if it states some. */
function objectsOf(
  folder: PolicyFolder,
  policies: readonly FoundPolicy[],
  { given }: PolicyCase,
): readonly JsonObject[] {
  const { params, namespace = "default" } = given;
  if (params === undefined) {
    return folder.objects;
  }
  const kinds = policies.flatMap(({ traced: { policy } }) => policy.paramKind ?? []);
  const others = folder.objects.filter(
    ({ apiVersion, kind }) => !kinds.some((known) => known.apiVersion === apiVersion && known.kind === kind),
  );
  const found = policies.flatMap(({ traced: { policy }, bindings }) =>
    bindings.flatMap(({ paramRef }) =>
      params.map((object) => asFound({ ...policy.paramKind, ...object }, paramRef, namespace)),
    ),
  );
  return [...others, ...found];
}

/** Returns a parameter under the name and in the namespace where a binding looks for it. */
function asFound(object: JsonObject, paramRef: ParamRef | undefined, namespace: string): JsonObject {
  if (paramRef === undefined || paramRef.name === "") {
    return object;
  }
  const place = { name: paramRef.name, namespace: paramRef.namespace || namespace };
  return { ...object, metadata: { ...objectAt(object, "metadata"), ...place } };
}
