import type { JsonObject } from "@gatehouse/envelopes/json";
import { andThen, inTurn, type MaybePromise } from "@gatehouse/envelopes/scheduling";
import { StatusError } from "@gatehouse/envelopes/status";
import { AdmissionVariables } from "../admission-variables.js";
import { type ExpressionSource, isSameKind, type ServedForm, type VersionedObjects } from "../admission-write.js";
import type { MatchOutcome } from "../match-conditions.js";
import { type MatchedResources, matchWrite } from "../matching/match-resources.js";
import { evaluatePolicy, failedPolicy, type PolicyResult } from "./evaluate-policy.js";
import type { ParamKind, Policy } from "./policy.js";
import type { PolicyBinding } from "./policy-binding.js";
import type { BindingCandidate, PolicyCandidate } from "./policy-candidates.js";
import type { PolicyDispatch, PolicyWrite } from "./policy-dispatch.js";
import { type ParamResource, PolicyConfigurationError } from "./policy-params.js";
import { AnnotationValues, PolicyVerdicts } from "./policy-verdicts.js";

/** A policy that is about a write, as far as it does not depend on the binding. */
interface MatchedPolicy {
  readonly policy: Policy;
  /** The form of the object that its rules name. */
  readonly form: ServedForm;
  /** The resource of its parameters; undefined if it has none. */
  readonly paramResource: ParamResource | undefined;
  /** The outcome of the match conditions of a policy without parameters, the same for all bindings. */
  readonly outcome: MaybePromise<MatchOutcome> | undefined;
  readonly annotations: AnnotationValues;
}

/** A candidate, and the outcome of its match conditions if that is the same for all bindings and known already. */
interface MatchedCandidate {
  readonly candidate: PolicyCandidate;
  readonly outcome: MatchOutcome | undefined;
}

/** The evaluation of policies for one write. */
export class PolicyRun<W extends PolicyWrite> {
  readonly #dispatch: PolicyDispatch<W>;
  readonly #attributes: W;
  readonly #source: ExpressionSource;
  readonly #verdicts: PolicyVerdicts<W>;
  /** The objects of the write by the version that policies want, where it is another one. */
  readonly #objects = new Map<string, VersionedObjects>();
  #namespace: MaybePromise<JsonObject | null> | undefined;
  /** The variables of the match conditions of policies without parameters, which have them in common. */
  readonly #conditionVariables = new Map<VersionedObjects, AdmissionVariables>();

  constructor(dispatch: PolicyDispatch<W>, attributes: W) {
    this.#dispatch = dispatch;
    this.#attributes = attributes;
    this.#source = dispatch.expressionSource(attributes);
    this.#verdicts = new PolicyVerdicts(attributes, dispatch);
  }

  /**
   * Applies policies in turn, each with its bindings. All have their say, so that all warn and annotate; then the first
   * denial is thrown.
   */
  apply(candidates: readonly PolicyCandidate[]): MaybePromise<void> {
    const matched = this.#withoutExcluded(candidates);
    const last = matched.at(-1);
    const applied = inTurn(matched, (item) => {
      const waiting = this.#applyPolicy(item.candidate, item.outcome);
      if (item === last) {
        return waiting;
      }
      return waiting === undefined ? this.#attributes.yield() : waiting.then(() => this.#attributes.yield());
    });
    return andThen(applied, () => this.#verdicts.conclude());
  }

  /**
   * Leaves out the policies whose match conditions exclude the write, as far as that can be told at once. The others get the
   * outcome, if it is known.
   */
  #withoutExcluded(candidates: readonly PolicyCandidate[]): readonly MatchedCandidate[] {
    if (!candidates.some(({ policy }) => policy.matchConditions) || this.#namespaceObject() instanceof Promise) {
      return candidates.map((candidate) => ({ candidate, outcome: undefined }));
    }
    const matched: MatchedCandidate[] = [];
    let startedAt = performance.now();
    for (const candidate of candidates) {
      const { policy, match, bindings } = candidate;
      const { name, matchConditions } = policy;
      const decides = match.always !== undefined && bindings.length > 0 && this.#isForAllBindings(policy, match.always);
      const outcome = decides ? matchConditions?.matchAtOnce(this.#conditionVariablesOf(this.#attributes)) : undefined;
      if (matchConditions === undefined || outcome !== "excluded") {
        matched.push({ candidate, outcome });
        continue;
      }
      const endedAt = performance.now();
      this.#dispatch.measureExclusion?.(name, matchConditions, this.#attributes, (endedAt - startedAt) / 1000);
      startedAt = endedAt;
    }
    return matched;
  }

  #applyPolicy(candidate: PolicyCandidate, outcome: MatchOutcome | undefined): MaybePromise<void> {
    const { policy, match } = candidate;
    const form = match.always ?? this.#formIn(match, policy);
    return form instanceof Promise
      ? form.then((found) => this.#applyIn(found, candidate, outcome))
      : this.#applyIn(form, candidate, outcome);
  }

  /** `known` is the outcome of the match conditions, if that could be told at once. */
  #applyIn(
    form: ServedForm | undefined,
    { policy, bindings }: PolicyCandidate,
    known: MatchOutcome | undefined,
  ): MaybePromise<void> {
    if (form === undefined) {
      return undefined;
    }
    let paramResource: ParamResource | undefined;
    if (policy.paramKind !== undefined) {
      paramResource = this.#paramResource(policy, policy.paramKind);
      if (paramResource === undefined) {
        return undefined;
      }
    }
    const outcome = bindings.length === 0 ? "excluded" : (known ?? this.#outcomeForAll(policy, form));
    if (outcome === "excluded") {
      return undefined;
    }
    const annotations = new AnnotationValues();
    const matched: MatchedPolicy = { policy, form, paramResource, outcome, annotations };
    return andThen(
      inTurn(bindings, (binding) => this.#applyBinding(matched, binding)),
      () => annotations.publish(policy.name, this.#attributes),
    );
  }

  /** Returns the resource of the parameters of a policy; undefined if there is none, which is a fault of the policy. */
  #paramResource(policy: Policy, paramKind: ParamKind): ParamResource | undefined {
    return this.#configured(policy, undefined, () => this.#dispatch.params.resourceOf(paramKind)) as
      | ParamResource
      | undefined;
  }

  /**
   * Evaluates the match conditions of a policy once for all of its bindings. Undefined where that cannot be done: they
   * may depend on parameters, and a conversion that fails is a fault of each binding.
   */
  #outcomeForAll(policy: Policy, form: ServedForm): MaybePromise<MatchOutcome> | undefined {
    return this.#isForAllBindings(policy, form) ? this.#matchConditions(policy, this.#attributes, null) : undefined;
  }

  /** Reports whether match conditions say the same for all bindings: they see neither parameters nor a conversion. */
  #isForAllBindings({ paramKind }: Policy, form: ServedForm): boolean {
    return paramKind === undefined && isSameKind(form.kind, this.#attributes.kind);
  }

  #applyBinding(matched: MatchedPolicy, { binding, match }: BindingCandidate): MaybePromise<void> {
    const { policy, paramResource } = matched;
    const isMatched = match === undefined ? true : this.#formIn(match, policy, binding);
    return andThen(isMatched, (found) => {
      if (found === undefined) {
        return undefined;
      }
      const values = this.#configured(policy, binding, () =>
        this.#dispatch.params.valuesFor(paramResource, binding.paramRef, this.#attributes),
      );
      return andThen(values, (params = []) =>
        params.length === 0 ? undefined : this.#evaluateAll(matched, binding, params),
      );
    });
  }

  #evaluateAll(
    matched: MatchedPolicy,
    binding: PolicyBinding,
    params: readonly (JsonObject | null)[],
  ): MaybePromise<void> {
    const { policy, form } = matched;
    return andThen(this.#objectsIn(form, policy, binding), (objects) =>
      objects === undefined
        ? undefined
        : andThen(this.#namespaceObject(), (namespaceObject) =>
            inTurn(params, (value) => this.#evaluate(matched, binding, { objects, namespaceObject, params: value })),
          ),
    );
  }

  #evaluate(
    { policy, form, annotations, outcome: known }: MatchedPolicy,
    binding: PolicyBinding,
    values: {
      readonly objects: VersionedObjects;
      readonly namespaceObject: JsonObject | null;
      readonly params: JsonObject | null;
    },
  ): MaybePromise<void> {
    return andThen(known ?? this.#matchConditions(policy, values.objects, values.params), (outcome) => {
      if (outcome === "excluded") {
        return undefined;
      }
      const startedAt = performance.now();
      const conclude = (result: PolicyResult): void => {
        const seconds = (performance.now() - startedAt) / 1000;
        this.#dispatch.observer?.evaluated?.(policy.name, binding.name, result);
        this.#verdicts.decided(policy, binding, result.decisions, seconds);
        this.#verdicts.annotated(policy, binding, result.annotations, annotations, seconds);
      };
      if (outcome !== "matches") {
        return conclude(failedPolicy(policy, outcome.error));
      }
      const init = { ...values, write: this.#attributes, source: this.#source, hasAuthorizer: true };
      return andThen(evaluatePolicy(policy, { ...init, resource: form.resource }), conclude);
    });
  }

  #matchConditions(policy: Policy, objects: VersionedObjects, params: JsonObject | null): MaybePromise<MatchOutcome> {
    const { matchConditions } = policy;
    if (matchConditions === undefined) {
      return "matches";
    }
    const variables = params === null ? this.#conditionVariablesOf(objects) : this.#variablesOf(objects, params);
    return this.#dispatch.matchConditions(policy.name, matchConditions, variables, this.#attributes);
  }

  /** Returns the variables of match conditions without parameters, which they have in common. */
  #conditionVariablesOf(objects: VersionedObjects): AdmissionVariables {
    let variables = this.#conditionVariables.get(objects);
    if (variables === undefined) {
      variables = this.#variablesOf(objects, null);
      this.#conditionVariables.set(objects, variables);
    }
    return variables;
  }

  #variablesOf(objects: VersionedObjects, params: JsonObject | null): AdmissionVariables {
    const [write, source] = [this.#attributes, this.#source];
    return new AdmissionVariables({ write, source, objects, hasAuthorizer: true, params });
  }

  /** Returns the form in which a policy or a binding names the write; undefined if it does not. */
  #formIn(match: MatchedResources, policy: Policy, binding?: PolicyBinding): MaybePromise<ServedForm | undefined> {
    return this.#configured(policy, binding, () => matchWrite(match, this.#attributes, this.#dispatch.selectors));
  }

  /** Returns the objects of the write in a form, for all policies that want it. */
  #objectsIn(form: ServedForm, policy: Policy, binding: PolicyBinding): MaybePromise<VersionedObjects | undefined> {
    if (isSameKind(form.kind, this.#attributes.kind)) {
      return this.#attributes;
    }
    const { group, version, kind } = form.kind;
    const key = `${group}/${version}/${kind}`;
    const known = this.#objects.get(key);
    if (known !== undefined) {
      return known;
    }
    const converted = this.#configured(
      policy,
      binding,
      () => this.#dispatch.versionedObjects(this.#attributes, form),
      "failed to convert object version: ",
    );
    return andThen(converted, (objects) => {
      if (objects !== undefined) {
        this.#objects.set(key, objects);
      }
      return objects;
    });
  }

  /** Returns the namespace of the object, as expressions see it, found once; null for objects without one and for namespaces. */
  #namespaceObject(): MaybePromise<JsonObject | null> {
    const { namespace, kind, signal } = this.#attributes;
    if (namespace === "" || (kind.kind === "Namespace" && kind.version === "v1" && kind.group === "")) {
      return null;
    }
    this.#namespace ??= this.#dispatch.namespaceObject(namespace, signal);
    return this.#namespace;
  }

  /**
   * Takes a step that fails when a policy or binding cannot be put to work: then the failure policy decides about the
   * write, and the result is undefined.
   */
  #configured<T>(
    policy: Policy,
    binding: PolicyBinding | undefined,
    step: () => MaybePromise<T>,
    prefix = "",
  ): MaybePromise<T | undefined> {
    const failed = (error: unknown): undefined => {
      if (!(error instanceof PolicyConfigurationError || error instanceof StatusError)) {
        throw error;
      }
      this.#verdicts.misconfigured(policy, binding, prefix + error.message);
      return undefined;
    };
    try {
      const taken = step();
      return taken instanceof Promise ? taken.catch(failed) : taken;
    } catch (error) {
      return failed(error);
    }
  }
}
