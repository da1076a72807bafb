import type { JsonObject } from "@gatehouse/envelopes/json";
import { schemaRegistry } from "@gatehouse/envelopes/schema";
import type { auditV1 } from "@gatehouse/envelopes/types";
import { Policy, policiesAreAskedAbout, type WriteToMatch } from "@gatehouse/policies/admission-expressions";
import { appliedPolicies, type FoundPolicy, type PolicyFolder } from "../policies/policy-folder.js";
import { type AppliedPolicies, outcomeOf, unaskedOutcome } from "../policies/policy-outcome.js";
import type { KnownObjects } from "./known-objects.js";
import { type PolicyNeeds, policyNeeds } from "./policy-needs.js";
import { recordedVerdict } from "./recorded-verdict.js";
import { operationOf, recordedWrite, writtenObject } from "./recorded-write.js";
import type { ReplayedEvent } from "./replayed-event.js";

/** Puts recorded events to the policies of a folder. */
export class EventReplay {
  readonly #found: readonly FoundPolicy[];
  readonly #objects: readonly JsonObject[];
  readonly #applied: AppliedPolicies;
  readonly #needs: ReadonlyMap<string, PolicyNeeds>;
  readonly #known: KnownObjects;

  /** `known` collects what events show of objects. */
  constructor({ policies, objects }: PolicyFolder, known: KnownObjects) {
    this.#found = policies;
    this.#objects = objects;
    // Policies of a folder record what they evaluate, which takes long.
    this.#applied = { ...appliedPolicies(policies), policies: policies.map(({ object }) => new Policy(object)) };
    this.#needs = new Map(policies.map((policy) => [policy.name, policyNeeds(policy)]));
    this.#known = known;
  }

  /** Puts an event to the policies that name it. */
  async replay(event: auditV1.Event): Promise<ReplayedEvent> {
    const before = this.#known.before(event);
    const replayed = await this.#judge(event, before);
    const code = event.responseStatus?.code ?? 0;
    const isDryRun = event.requestURI.includes("dryRun=");
    if (event.stage === "ResponseComplete" && code >= 200 && code < 300 && operationOf(event) && !isDryRun) {
      this.#known.note(event, operationOf(event) === "DELETE" ? undefined : writtenObject(event));
    }
    return replayed;
  }

  async #judge(event: auditV1.Event, before: JsonObject | undefined): Promise<ReplayedEvent> {
    const concerned = this.#concerned(event);
    const recorded = recordedVerdict(event);
    if (concerned.length === 0) {
      // A policy that has denied the request may have lost its rule since.
      const isDenied = recorded.kind === "denied" && this.#needs.has(recorded.policy);
      return isDenied ? { kind: "judged", event, recorded, outcome: unaskedOutcome } : { kind: "unconcerned" };
    }
    if (recorded.kind === "refused") {
      return { kind: "unjudged", why: `refused with ${recorded.code} by something else than a policy` };
    }
    if (recorded.kind === "denied" && !this.#needs.has(recorded.policy)) {
      return { kind: "unjudged", why: `denied by ${recorded.policy}, which is not among the policies` };
    }
    const why = lackOf(event);
    const write = why === undefined ? recordedWrite(event, before) : undefined;
    if (write === undefined) {
      return { kind: "unjudged", why: why ?? lackOfObject(event) };
    }
    const needs = concerned.map(({ name }) => this.#needs.get(name));
    if (write.operation === "UPDATE" && write.oldObject === undefined && needs.some((need) => need?.oldObject)) {
      return { kind: "unjudged", why: "no earlier event shows the old object of an update" };
    }
    const namespace = event.objectRef?.namespace ?? "";
    const isInNamespace = namespace !== "" && event.objectRef?.resource !== "namespaces";
    if (isInNamespace && !this.#known.hasNamespace(namespace) && needs.some((need) => need?.namespace)) {
      return { kind: "unjudged", why: "neither an event nor a document shows the Namespace" };
    }
    const objects = [...this.#objects, ...this.#known.namespaces];
    const outcome = await outcomeOf(this.#applied, { review: write.review, objects });
    return outcome.missing.length > 0
      ? { kind: "unjudged", why: `${outcome.missing.join(", ")} is not available` }
      : { kind: "judged", event, recorded, outcome };
  }

  /** Returns the policies whose rules name the write of an event. */
  #concerned(event: auditV1.Event): readonly FoundPolicy[] {
    const { objectRef, stage, verb } = event;
    const operation = verb === "deletecollection" ? "DELETE" : operationOf(event);
    if (stage !== "ResponseComplete" || objectRef === undefined || operation === undefined) {
      return [];
    }
    const {
      apiGroup: group = "",
      apiVersion: version = "",
      resource = "",
      subresource = "",
      namespace = "",
    } = objectRef;
    const write = { operation, resource: { group, version, resource }, subresource, namespace };
    return policiesAreAskedAbout(write) ? this.#found.filter(({ traced }) => isConcerned(traced.policy, write)) : [];
  }
}

/** Reports whether a policy names a write, in its own version or in another one of its group. */
function isConcerned({ constraints: { rules, matchesEquivalents } }: Policy, write: WriteToMatch): boolean {
  const { group, version } = write.resource;
  const others = schemaRegistry()
    .groupVersions()
    .filter((known) => known.group === group && known.version !== version);
  return [version, ...(matchesEquivalents ? others.map((known) => known.version) : [])].some((each) =>
    rules.some((rule) => rule.matches({ ...write, resource: { ...write.resource, version: each } })),
  );
}

function lackOf({ level, verb, objectRef, annotations }: auditV1.Event): string | undefined {
  if (verb === "deletecollection") {
    return "deletions of collections do not show their objects";
  }
  const connects = ["attach", "exec", "portforward", "proxy"].includes(objectRef?.subresource ?? "");
  if (connects) {
    return "connections do not show their options";
  }
  if (annotations?.["audit.k8s.io/truncated"] === "true") {
    return "the objects of the event were cut off";
  }
  return level === "Metadata" ? "events of level Metadata have no objects" : undefined;
}

function lackOfObject({ verb }: auditV1.Event): string {
  switch (verb) {
    case "patch":
      return "a patch shows its object at level RequestResponse only, and if it was not refused";
    case "delete":
      return "neither the event nor an earlier one shows the object that was deleted";
    default:
      return "the event shows no object";
  }
}
