import { objectAt, textAt } from "@gatehouse/envelopes/json";
import type { MaybePromise } from "@gatehouse/envelopes/scheduling";
import { schemaRegistry } from "@gatehouse/envelopes/schema";
import { forbidden, StatusError } from "@gatehouse/envelopes/status";
import {
  type AdmissionVariables,
  type Labels,
  type MatchConditions,
  type MatchOutcome,
  namespaceObjectOf,
  type PolicyCandidate,
  type PolicyDecision,
  type PolicyDispatch,
  type PolicyObserver,
  PolicyParams,
  PolicyRun,
  policiesAreAskedAbout,
  policyCandidates,
  type ServedForm,
  type ServedForms,
  type VersionedObjects,
  WriteSelectors,
} from "@gatehouse/policies/admission-expressions";
import type { GivenWrite } from "./given-write.js";
import type { PolicyObjects } from "./policy-objects.js";
import type { PolicySet } from "./policy-set.js";

/** The verdict of one policy, with its bindings, on a request. */
export interface PolicyVerdict {
  readonly policy: string;
  /** `excluded`: no binding applies, or the match conditions exclude the request. */
  readonly outcome: "allowed" | "denied" | "excluded";
  /** Message of the denial, as a server sends it. */
  readonly message?: string;
  /** The error of the denial. */
  readonly denial?: StatusError;
  /** The validations that were false or could not be evaluated, whatever the bindings do with them. */
  readonly violations: readonly PolicyViolation[];
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
  /** Nouns of what the policy asks for that is not available: then the verdict is not that of a server. */
  readonly missing: readonly string[];
}

/** A validation that was false or could not be evaluated, or the fault by which a policy could not be put to work. */
export interface PolicyViolation {
  readonly policy: string;
  readonly message: string;
  readonly reason: string;
}

/** Puts a request to all policies that are about it, in the order of their names. `write` makes the request for each. */
export async function applyPolicies(
  policies: Pick<PolicySet, "policies" | "bindings">,
  objects: PolicyObjects,
  write: () => GivenWrite,
): Promise<readonly PolicyVerdict[]> {
  const sample = write();
  if (!policiesAreAskedAbout(sample)) {
    return [];
  }
  const candidates = policyCandidates(policies.policies, policies.bindings, sample, formsOf(sample));
  const verdicts: PolicyVerdict[] = [];
  for (const candidate of candidates) {
    verdicts.push(await verdictOf(candidate, objects, write()));
  }
  return verdicts;
}

async function verdictOf(
  candidate: PolicyCandidate,
  objects: PolicyObjects,
  write: GivenWrite,
): Promise<PolicyVerdict> {
  const dispatch = new Dispatch(objects);
  let denial: StatusError | undefined;
  try {
    await new PolicyRun(dispatch, write).apply([candidate]);
  } catch (error) {
    if (!(error instanceof StatusError)) {
      throw error;
    }
    denial = error;
  }
  const { warnings, auditAnnotations } = write;
  return {
    policy: candidate.policy.name,
    outcome: denial !== undefined ? "denied" : dispatch.isEvaluated ? "allowed" : "excluded",
    ...(denial === undefined ? {} : { message: denial.message, denial }),
    violations: violationsOf(candidate.policy.name, dispatch, denial),
    warnings,
    auditAnnotations,
    missing: [...write.missing],
  };
}

/** Returns the violations of a policy; the message of the denial where no validation has denied. */
function violationsOf(
  policy: string,
  { decisions }: Dispatch,
  denial: StatusError | undefined,
): readonly PolicyViolation[] {
  const violations = decisions.flatMap((decision) =>
    decision.action === "admit" ? [] : [{ policy, message: decision.message, reason: decision.reason ?? "Invalid" }],
  );
  if (denial === undefined || violations.some(({ message }) => denial.message.endsWith(message))) {
    return violations;
  }
  const [, message = denial.message] = /denied request: (.*)$/s.exec(denial.message) ?? [];
  return [{ policy, message, reason: denial.reason }, ...violations];
}

/** The parts that the evaluation of one policy needs, from a list of objects. */
class Dispatch implements PolicyDispatch<GivenWrite> {
  readonly selectors: WriteSelectors;
  readonly params: PolicyParams;
  /** True once a binding has had the policy evaluated. */
  isEvaluated = false;
  readonly decisions: PolicyDecision[] = [];
  readonly observer: PolicyObserver = {
    decided() {},
    evaluated: (_policy, _binding, { decisions }) => {
      this.isEvaluated = true;
      this.decisions.push(...decisions);
    },
  };
  readonly #objects: PolicyObjects;

  constructor(objects: PolicyObjects) {
    this.#objects = objects;
    this.selectors = new WriteSelectors(
      (namespace) => objectAt(objects.namespace(namespace), "metadata", "labels") as Labels,
    );
    this.params = new PolicyParams(objects);
  }

  expressionSource(write: GivenWrite): GivenWrite {
    return write;
  }

  namespaceObject(namespace: string): ReturnType<typeof namespaceObjectOf> {
    return namespaceObjectOf(this.#objects.namespace(namespace));
  }

  versionedObjects(write: GivenWrite, form: ServedForm): VersionedObjects {
    return write.objectsIn(form);
  }

  matchConditions(
    _policy: string,
    conditions: MatchConditions,
    variables: AdmissionVariables,
    write: GivenWrite,
  ): MaybePromise<MatchOutcome> {
    return conditions.match(variables, write);
  }

  refusal({ resource, name, object }: GivenWrite, message: string): StatusError {
    const shown = name || textAt(object ?? {}, "metadata", "generateName") || "Unknown";
    return forbidden(resource, shown, message);
  }
}

/** Returns the versions in which a built-in kind exists. */
function formsOf({ kind: { kind } }: GivenWrite): ServedForms {
  const registry = schemaRegistry();
  return {
    equivalents: (resource) =>
      registry
        .groupVersions()
        .filter(({ group, version }) => group === resource.group && registry.kindSchema(group, version, kind))
        .map(({ group, version }) => ({ resource: { ...resource, version }, kind: { group, version, kind } })),
  };
}
