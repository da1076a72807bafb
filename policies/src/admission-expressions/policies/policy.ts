import { isSet, type JsonObject, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";
import { MatchConditions } from "../match-conditions.js";
import { compileMatchResources, type MatchResources } from "../matching/match-resources.js";
import { type ObservePolicy, PolicyProgram } from "./policy-program.js";

/** A ValidatingAdmissionPolicy, ready for use. */
export class Policy {
  readonly name: string;
  readonly constraints: MatchResources;
  /** The kind of its parameters; undefined if it has none. */
  readonly paramKind: ParamKind | undefined;
  /** True if what cannot be evaluated does not stop the write (`failurePolicy: Ignore`). */
  readonly ignoresFailure: boolean;
  /** Conditions of writes that the policy is about; undefined for none. */
  readonly matchConditions: MatchConditions | undefined;
  readonly #spec: JsonObject;
  readonly #observe: ObservePolicy | undefined;
  #program: PolicyProgram | undefined;

  /** `observe` returns the observers of its expressions, for those who explain or test it. */
  constructor(policy: JsonObject, observe?: ObservePolicy) {
    const spec = objectAt(policy, "spec");
    this.name = textAt(policy, "metadata", "name");
    this.constraints = compileMatchResources(objectAt(spec, "matchConstraints"));
    this.paramKind = isSet(spec, "paramKind")
      ? { apiVersion: textAt(spec, "paramKind", "apiVersion"), kind: textAt(spec, "paramKind", "kind") }
      : undefined;
    this.ignoresFailure = textAt(spec, "failurePolicy") === "Ignore";
    const conditions = listAt(spec, "matchConditions");
    const { ignoresFailure, paramKind } = this;
    this.matchConditions =
      conditions.length === 0
        ? undefined
        : new MatchConditions({
            conditions,
            hasParams: paramKind !== undefined,
            ignoresFailure,
            observe: observe && ((index) => observe(`matchConditions[${index}].expression`)),
          });
    this.#spec = spec;
    this.#observe = observe;
  }

  /** The other expressions, compiled when a write that the policy is about comes for the first time. */
  get program(): PolicyProgram {
    this.#program ??= new PolicyProgram(this.#spec, this.#observe);
    return this.#program;
  }
}

/** The kind of the objects that parameterize a policy. */
export interface ParamKind {
  readonly apiVersion: string;
  readonly kind: string;
}
