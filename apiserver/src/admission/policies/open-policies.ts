import type { MetricsRegistry } from "@gatehouse/component-base/metrics";
import type { Authorizer } from "../../authorization/authorizer.js";
import type { ObjectSource } from "../../authorization/object-source.js";
import type { MaybePromise } from "../../request/handler.js";
import type { SortOfWrite } from "../admission-plugin.js";
import type { AdmissionAttributes } from "../attributes.js";
import { matchConditionMetrics, namespaceObjectOf } from "../expressions/index.js";
import { WriteSelectors } from "../matching/write-selectors.js";
import { namespacesResource } from "../namespaces.js";
import type { ObjectAccess } from "../object-access.js";
import type { ObjectInterfaces } from "../object-interfaces.js";
import { PolicyMetrics } from "./policy-metrics.js";
import { PolicyParams } from "./policy-params.js";
import { type PolicyDispatch, PolicyRun } from "./policy-run.js";
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

/** Opens the parts for the evaluation of policies. */
export function openPolicies({
  objects,
  objectSource,
  forms,
  authorizer,
  metrics,
  reportFault,
}: PolicyParts): PolicyDispatch {
  const dispatch: PolicyDispatch = {
    source: new PolicySource(objects, forms),
    selectors: new WriteSelectors(objects),
    params: new PolicyParams(objects),
    namespaces: objects.view(namespacesResource, namespaceObjectOf),
    forms,
    authorizer,
    metrics: new PolicyMetrics(metrics),
    conditionMetrics: matchConditionMetrics(metrics),
  };
  objectSource.follow(policiesResource, countPolicies(dispatch.metrics)).catch(reportFault);
  return dispatch;
}

/** Reports whether policies are about such writes: those of policies and bindings themselves are exempt. */
export function policiesAreAskedAbout({ resource: { group, resource } }: SortOfWrite): boolean {
  return group !== policiesResource.group || !exempt.has(resource);
}

const exempt: ReadonlySet<string> = new Set([policiesResource.resource, "validatingadmissionpolicybindings"]);

/** Applies all policies that are about a write, in the order of their names. Throws the first denial. */
export function applyPolicies(dispatch: PolicyDispatch, attributes: AdmissionAttributes): MaybePromise<void> {
  const candidates = dispatch.source.candidates(attributes);
  return candidates.length === 0 ? undefined : new PolicyRun(dispatch, attributes).apply(candidates);
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
