import { isJsonObject, type JsonObject, objectAt, textAt } from "@gatehouse/envelopes/json";
import { forbidden, StatusError } from "@gatehouse/envelopes/status";
import {
  type MatchOutcome,
  namespaceObjectOf,
  type Policy,
  type PolicyBinding,
  type PolicyDecision,
  type PolicyDispatch,
  PolicyParams,
  PolicyRun,
  policiesAreAskedAbout,
  policyCandidates,
  WriteSelectors,
} from "@gatehouse/policies/admission-expressions";
import type { AuthorizationSource } from "@gatehouse/policies/cel";
import { localParams } from "./local-params.js";
import type { LocalWrite } from "./local-write.js";

/** Policies with what they need beside a write. */
export interface LocalPolicies {
  readonly policies: readonly Policy[];
  readonly bindings: readonly PolicyBinding[];
  /** The objects among which parameters are found. */
  readonly params: readonly JsonObject[];
  /** The rights of the user. */
  readonly authorization: AuthorizationSource;
}

/** A decision of one validation that was false or could not be evaluated. */
export interface PolicyViolation {
  readonly policy: string;
  /** The binding; undefined for a policy that could not be put to work. */
  readonly binding: string | undefined;
  readonly message: string;
  readonly reason: string;
}

/** The outcome of policies for one write. */
export interface PolicyOutcome {
  readonly allowed: boolean;
  /** The Status that a client gets; undefined for a write that is allowed. */
  readonly denial: StatusError | undefined;
  /** All violations in their order, whatever their bindings do with them. */
  readonly violations: readonly PolicyViolation[];
  /** Names of the policies that were evaluated: whose constraints and match conditions let the write through. */
  readonly evaluated: ReadonlySet<string>;
  readonly warnings: readonly string[];
  readonly annotations: ReadonlyMap<string, string>;
}

/**
 * Applies policies to a write as a server does, without one. Other versions of a resource are not known: policies see the
 * write in its own version only.
 */
export async function applyPolicies(local: LocalPolicies, write: LocalWrite): Promise<PolicyOutcome> {
  const violations: PolicyViolation[] = [];
  const evaluated = new Set<string>();
  const dispatch = dispatchFor(local, write, (policy, binding, decisions) => {
    evaluated.add(policy);
    violations.push(...decisions.flatMap((decision) => violationsOf(policy, binding, decision)));
  });
  const candidates = policiesAreAskedAbout(write)
    ? policyCandidates(local.policies, local.bindings, write, { equivalents: () => [] })
    : [];
  let denial: StatusError | undefined;
  try {
    await new PolicyRun(dispatch, write).apply(candidates);
  } catch (error) {
    if (!(error instanceof StatusError)) {
      throw error;
    }
    denial = error;
    if (!violations.some(({ message }) => messageOf(error).endsWith(message))) {
      violations.unshift(configurationViolation(error));
    }
  }
  const { warnings, annotations } = write;
  return { allowed: denial === undefined, denial, violations, evaluated, warnings, annotations };
}

function violationsOf(policy: string, binding: string, decision: PolicyDecision): readonly PolicyViolation[] {
  return decision.action === "admit"
    ? []
    : [{ policy, binding, message: decision.message, reason: decision.reason ?? "Invalid" }];
}

const denialText = /^ValidatingAdmissionPolicy '(.*?)'(?: with binding '(.*?)')? denied request: (.*)$/s;

/** Returns the violation of a policy that denies without a validation: one that cannot be put to work. */
function configurationViolation(error: StatusError): PolicyViolation {
  const [, policy = "", binding, message = messageOf(error)] = denialText.exec(messageOf(error)) ?? [];
  return { policy, binding, message, reason: error.reason };
}

/** Returns the message of a denial: `ValidatingAdmissionPolicy 'a' with binding 'b' denied request: c`. */
export function messageOf({ status }: StatusError): string {
  const [cause] = status.details?.causes ?? [];
  return cause?.message ?? status.message ?? "";
}

type Evaluated = (policy: string, binding: string, decisions: readonly PolicyDecision[]) => void;

function dispatchFor(local: LocalPolicies, write: LocalWrite, evaluated: Evaluated): PolicyDispatch<LocalWrite> {
  return {
    selectors: new WriteSelectors(
      () => objectAt(write.namespaceObject, "metadata", "labels") as Record<string, string>,
    ),
    params: new PolicyParams(localParams(local.params)),
    observer: {
      decided() {},
      evaluated: (policy, binding, { decisions }) => evaluated(policy, binding, decisions),
    },
    expressionSource: () => ({
      request: (kind, resource) => write.requestIn(kind, resource),
      authorization: () => local.authorization,
    }),
    namespaceObject: () => namespaceObjectOf(write.namespaceObject),
    versionedObjects: () => write,
    matchConditions: (_policy, conditions, variables): MatchOutcome | Promise<MatchOutcome> =>
      conditions.match(variables, write),
    refusal: ({ resource, name, object }, message) => forbidden(resource, name || shownName(object), message),
  };
}

/** Returns the name that a refusal shows where there is none yet. */
function shownName(object: JsonObject | undefined): string {
  const metadata = isJsonObject(object) ? objectAt(object, "metadata") : {};
  return textAt(metadata, "name") || textAt(metadata, "generateName") || "Unknown";
}
