import type { MetricsRegistry } from "@gatehouse/component-base/metrics";
import { notFound } from "@gatehouse/envelopes/status";
import {
  namespaceObjectOf,
  type PolicyDispatch,
  PolicyParams,
  PolicyRun,
  WriteSelectors,
} from "@gatehouse/policies/admission-expressions";
import type { Authorizer } from "../../authorization/authorizer.js";
import type { ObjectSource } from "../../authorization/object-source.js";
import type { MaybePromise } from "../../request/handler.js";
import type { AdmissionAttributes } from "../attributes.js";
import {
  type MatchConditionOwner,
  matchConditionMetrics,
  measuredMatch,
  versionedObjects,
  WriteSource,
} from "../expressions/index.js";
import { namespaceLabels } from "../matching/namespace-labels.js";
import { namespacesResource } from "../namespaces.js";
import type { ObjectAccess } from "../object-access.js";
import type { ObjectInterfaces } from "../object-interfaces.js";
import { refusal } from "../refusal.js";
import { PolicyMetrics } from "./policy-metrics.js";
import { PolicySource, policiesResource } from "./policy-source.js";

/** The parts of the server that policies rest on. */
export interface PolicyParts {
  readonly objects: ObjectAccess;
  readonly objectSource: ObjectSource;
  readonly forms: ObjectInterfaces;
  readonly authorizer: Authorizer;
  readonly metrics: MetricsRegistry;
  /** Logs an error of the server that no request can answer any more. */
  readonly reportFault: (error: unknown) => void;
}

/** The policies of a server, ready to be applied to writes. */
export interface ServerPolicies extends PolicyDispatch<AdmissionAttributes> {
  readonly source: PolicySource;
}

/** Opens the parts for the evaluation of policies. */
export function openPolicies(parts: PolicyParts): ServerPolicies {
  const { objects, objectSource, forms, authorizer, reportFault } = parts;
  const metrics = new PolicyMetrics(parts.metrics);
  const conditionMetrics = matchConditionMetrics(parts.metrics);
  objectSource.follow(policiesResource, countPolicies(metrics)).catch(reportFault);
  return {
    source: new PolicySource(objects, forms),
    selectors: new WriteSelectors(namespaceLabels(objects)),
    params: new PolicyParams(objects),
    observer: metrics,
    expressionSource: (attributes) => new WriteSource(attributes, authorizer),
    namespaceObject: namespaceObjects(objects),
    versionedObjects: (attributes, form) => versionedObjects(attributes, form, forms),
    matchConditions: (name, conditions, variables, attributes) =>
      measuredMatch(conditions, policyOwner(name), variables, attributes, conditionMetrics),
    measureExclusion: (name, conditions, { operation }, seconds) =>
      conditionMetrics.seriesOf(conditions, policyOwner(name), operation).evaluated(seconds),
    refusal,
  };
}

function policyOwner(name: string): MatchConditionOwner {
  return { name, kind: "policy", type: "validate" };
}

/** Returns a reader of namespaces as expressions see them. One that is not known may be new: the cache catches up. */
function namespaceObjects(objects: ObjectAccess): ServerPolicies["namespaceObject"] {
  const namespaces = objects.view(namespacesResource, namespaceObjectOf);
  return (namespace, signal) =>
    namespaces.get("", namespace) ??
    namespaces.catchUp(signal, { namespace: "", name: namespace }).then(() => {
      const fresh = namespaces.get("", namespace);
      if (fresh === undefined) {
        throw notFound(namespacesResource, namespace);
      }
      return fresh;
    });
}

/** Applies all policies that are about a write, in the order of their names. Throws the first denial. */
export function applyPolicies(policies: ServerPolicies, attributes: AdmissionAttributes): MaybePromise<void> {
  const candidates = policies.source.candidates(attributes);
  return candidates.length === 0 ? undefined : new PolicyRun(policies, attributes).apply(candidates);
}

/** Returns a follower that counts each policy once, when it appears. */
function countPolicies(metrics: PolicyMetrics): Parameters<ObjectSource["follow"]>[1] {
  const names = new Set<string>();
  return {
    present(_namespace, name) {
      if (!names.has(name)) {
        names.add(name);
        metrics.defined();
      }
    },
    gone: (_namespace, name) => names.delete(name),
  };
}
