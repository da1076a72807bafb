import { isSet, type JsonObject, objectAt, textAt } from "@gatehouse/envelopes/json";
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
    this.#spec = spec;
    this.#observe = observe;
  }

  /** The expressions, compiled when a write that the policy is about comes for the first time. */
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
