import { isJsonObject, type JsonObject } from "@gatehouse/envelopes/json";
import type { AdmissionRequest } from "../handlers/admission-request.js";
import { applyPatch } from "../handlers/apply-patch.js";
import { answerHook } from "../hooks/answer-hook.js";
import type { Hook } from "../hooks/hook.js";
import { createJsonPatch } from "../json-patch/create-json-patch.js";
import type { Lookup } from "../lookup/lookup.js";
import { type AdmissionReviewReader, openAdmissionReviewReader } from "../review/admission-review.js";
import type { AdmissionOutcome } from "./admission-outcome.js";
import { applyPolicies, type PolicyVerdict } from "./apply-policies.js";
import { buildReview, type GivenRequest } from "./build-review.js";
import { type GivenWrite, givenWrite, type TestAuthorizer } from "./given-write.js";
import { matchHook } from "./hook-conditions.js";
import { lookupIn } from "./lookup-in.js";
import { matchesRules } from "./matches-rules.js";
import type { PolicyObjects } from "./policy-objects.js";
import type { PolicySet } from "./policy-set.js";

/** The deciders of a request, and what their expressions read. */
export interface AdmissionWorld {
  readonly hooks: readonly Hook[];
  readonly policies: PolicySet;
  /** The parameters of policies, and namespaces. */
  readonly objects: PolicyObjects;
  /** Absent where nobody answers the questions of expressions. */
  readonly authorizer?: TestAuthorizer | undefined;
}

/** A hook or a policy that asks for what is not available, so that its verdict on a request is not known. */
export interface Undecided {
  readonly by: string;
  /** Nouns of what it asks for: `the variable authorizer`. */
  readonly missing: readonly string[];
}

/** The outcome of a request with the verdicts that it is made of. */
export interface DetailedOutcome extends AdmissionOutcome {
  /** The hooks and policies whose verdict is not known: the outcome leaves them out. */
  readonly undecided: readonly Undecided[];
  /** The verdicts of all policies that are about the request, after the denying one, too. */
  readonly verdicts: readonly PolicyVerdict[];
}

/**
 * Puts a request to mutating hooks, then to the schema of its kind if that is a custom one, then to policies, then to
 * validating hooks, as a server would.
 */
export async function putToHooks(world: AdmissionWorld, given: GivenRequest): Promise<DetailedOutcome> {
  const reader = await openAdmissionReviewReader(["v1"]);
  return await new Admission(world, given, reader).run();
}

const forever = new AbortController().signal;

/** The admission of one request. */
class Admission {
  readonly #world: AdmissionWorld;
  readonly #reader: AdmissionReviewReader;
  readonly #review: JsonObject;
  readonly #first: AdmissionRequest;
  readonly #lookup: Lookup;
  readonly #asked: string[] = [];
  readonly #excluded: string[] = [];
  #verdicts: readonly PolicyVerdict[] = [];
  readonly #warnings: string[] = [];
  readonly #warnedBy: string[] = [];
  readonly #auditAnnotations: Record<string, string> = {};
  readonly #undecided: Undecided[] = [];
  #object: JsonObject | undefined;

  constructor(world: AdmissionWorld, given: GivenRequest, reader: AdmissionReviewReader) {
    this.#world = world;
    this.#reader = reader;
    this.#review = buildReview(given, world.objects);
    this.#first = reader.read(this.#review);
    this.#lookup = lookupIn(given.existing ?? []);
    this.#object = this.#first.object;
  }

  async run(): Promise<DetailedOutcome> {
    const ofType = (type: Hook["type"]): readonly Hook[] => this.#world.hooks.filter((hook) => hook.type === type);
    return (
      (await this.#askAll(ofType("mutating"))) ??
      this.#validate() ??
      (await this.#applyPolicies()) ??
      (await this.#askAll(ofType("validating"))) ??
      this.#outcome("allowed")
    );
  }

  /** Asks hooks in turn. Returns the outcome when one of them ends the request. */
  async #askAll(hooks: readonly Hook[]): Promise<DetailedOutcome | undefined> {
    for (const hook of hooks.filter((candidate) => matchesRules(candidate, this.#first))) {
      const ended = (await this.#match(hook)) ?? (await this.#ask(hook));
      if (ended !== undefined && ended !== "excluded") {
        return ended;
      }
    }
    return undefined;
  }

  /** Evaluates the match conditions of a hook. Undefined: it is asked. */
  async #match(hook: Hook): Promise<DetailedOutcome | "excluded" | undefined> {
    if (hook.matchConditions.length === 0) {
      return undefined;
    }
    const write = this.#write(this.#request());
    const outcome = await matchHook(hook, write);
    if (write.missing.size > 0) {
      this.#undecided.push({ by: hook.name, missing: [...write.missing] });
      return "excluded";
    }
    if (outcome === "excluded") {
      this.#excluded.push(hook.name);
      return "excluded";
    }
    return outcome === "matches" ? undefined : this.#outcome("failed", hook.name, outcome.error);
  }

  async #ask(hook: Hook): Promise<DetailedOutcome | undefined> {
    this.#asked.push(hook.name);
    try {
      const decision = await answerHook(hook, this.#request(), { lookup: this.#lookup, signal: forever });
      this.#note(hook.name, decision.warnings, decision.auditAnnotations);
      if (!decision.allowed) {
        return this.#outcome("denied", hook.name, decision.status.message);
      }
      if (decision.patch.length > 0 && isJsonObject(this.#object)) {
        this.#object = applyPatch(this.#object, decision.patch);
      }
    } catch (error) {
      if (hook.failurePolicy === "Fail") {
        return this.#outcome("failed", hook.name, error instanceof Error ? error.message : String(error));
      }
    }
    return undefined;
  }

  /** Validates an object of a custom kind, as the hooks have left it, by its definition. */
  #validate(): DetailedOutcome | undefined {
    const { operation, oldObject: old, subResource: subresource } = this.#first;
    const changed = this.#object;
    const kind = changed && this.#world.objects.custom(String(changed["apiVersion"]), String(changed["kind"]));
    if (kind === undefined || (operation !== "CREATE" && operation !== "UPDATE")) {
      return undefined;
    }
    const { object: read } = kind.read(changed as JsonObject);
    const write = { old, subresource, object: read };
    const object = kind.stored(write);
    this.#object = object;
    const findings = kind.validate({ ...write, object });
    return findings.errors.length === 0
      ? undefined
      : this.#outcome("denied", kind.definition, kind.refusal(object, findings).message);
  }

  /** Applies the policies: all of them warn and annotate, and the first denial ends the request. */
  async #applyPolicies(): Promise<DetailedOutcome | undefined> {
    const { policies, objects } = this.#world;
    if (policies.policies.length === 0) {
      return undefined;
    }
    const request = this.#request();
    this.#verdicts = await applyPolicies(policies, objects, () => this.#write(request));
    for (const { policy, missing } of this.#verdicts.filter((verdict) => verdict.missing.length > 0)) {
      this.#undecided.push({ by: policy, missing });
    }
    for (const { policy, warnings, auditAnnotations } of decided(this.#verdicts)) {
      // Of two policies that annotate under one key, the first counts.
      this.#note(policy, warnings, { ...auditAnnotations, ...this.#auditAnnotations });
    }
    const denial = decided(this.#verdicts).find(({ outcome }) => outcome === "denied");
    return denial && this.#outcome("denied", denial.policy, denial.message);
  }

  #note(by: string, warnings: readonly string[], auditAnnotations: Readonly<Record<string, string>>): void {
    this.#warnings.push(...warnings);
    this.#warnedBy.push(...warnings.map(() => by));
    Object.assign(this.#auditAnnotations, auditAnnotations);
  }

  /** Returns the request about the object as it is now. */
  #request(): AdmissionRequest {
    const request = this.#review["request"] as JsonObject;
    return this.#reader.read({ ...this.#review, request: { ...request, object: this.#object ?? null } });
  }

  #write(request: AdmissionRequest): GivenWrite {
    const review = this.#review["request"] as JsonObject;
    return givenWrite({ request, review, authorizer: this.#world.authorizer });
  }

  #outcome(outcome: AdmissionOutcome["outcome"], decidedBy?: string, message?: string): DetailedOutcome {
    return {
      outcome,
      asked: this.#asked,
      excluded: this.#excluded,
      policies: decided(this.#verdicts).map(({ policy }) => policy),
      decidedBy,
      message,
      warnings: this.#warnings,
      warnedBy: this.#warnedBy,
      auditAnnotations: this.#auditAnnotations,
      patch: createJsonPatch(this.#first.object ?? null, this.#object ?? null),
      object: this.#object,
      undecided: this.#undecided,
      verdicts: this.#verdicts,
    };
  }
}

/** Returns the verdicts of policies that were evaluated with all that they ask for. */
function decided(verdicts: readonly PolicyVerdict[]): readonly PolicyVerdict[] {
  return verdicts.filter(({ outcome, missing }) => outcome !== "excluded" && missing.length === 0);
}
