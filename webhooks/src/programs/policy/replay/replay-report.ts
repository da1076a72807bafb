import type { auditV1 } from "@gatehouse/envelopes/types";
import { auditedPolicies, failureKey } from "./recorded-verdict.js";
import type { ReplayedEvent } from "./replayed-event.js";

/** A change of the verdict of a policy, for all requests of a user in a namespace. */
export interface VerdictChange {
  readonly sort: "newly denied" | "newly allowed" | "newly audited" | "no longer audited";
  readonly policy: string;
  readonly namespace: string;
  readonly user: string;
  requests: number;
  /** One of the requests, as text. */
  readonly example: string;
}

/** The numbers of requests of a policy. A request that is denied counts for the policy that has denied first. */
export interface PolicyCounts {
  evaluated: number;
  deniedThen: number;
  deniedNow: number;
}

/** The most groups of changes that are told apart; the requests of others are counted in the total only. */
const maxChanges = 10_000;

/** The results of a replay. */
export class ReplayReport {
  events = 0;
  judged = 0;
  unconcerned = 0;
  /** Requests whose verdict changes. */
  changed = 0;
  /** The numbers of events that could not be judged, by what they lack. */
  readonly unjudged = new Map<string, number>();
  readonly policies = new Map<string, PolicyCounts>();
  readonly #changes = new Map<string, VerdictChange>();

  /** `policies`: the names of all policies. */
  constructor(policies: readonly string[]) {
    for (const name of policies) {
      this.policies.set(name, { evaluated: 0, deniedThen: 0, deniedNow: 0 });
    }
  }

  get changes(): readonly VerdictChange[] {
    return [...this.#changes.values()];
  }

  /** Adds the result of an event. */
  add(replayed: ReplayedEvent): void {
    this.events++;
    switch (replayed.kind) {
      case "unconcerned":
        this.unconcerned++;
        break;
      case "unjudged":
        this.unjudged.set(replayed.why, (this.unjudged.get(replayed.why) ?? 0) + 1);
        break;
      case "judged":
        this.#addJudged(replayed);
    }
  }

  #addJudged(replayed: ReplayedEvent & { readonly kind: "judged" }): void {
    const { event, recorded, outcome } = replayed;
    this.judged++;
    for (const policy of outcome.evaluated) {
      this.#count(policy, "evaluated");
    }
    const deniedBy = recorded.kind === "denied" ? recorded.policy : undefined;
    this.#count(deniedBy, "deniedThen");
    this.#count(outcome.deniedBy, "deniedNow");
    const changes = changesOf(replayed, deniedBy, (policy) => this.policies.has(policy));
    this.changed += changes.length > 0 ? 1 : 0;
    for (const [sort, policy, message] of changes) {
      this.#change(sort, policy, event, message);
    }
  }

  #count(policy: string | undefined, member: keyof PolicyCounts): void {
    const counts = policy === undefined ? undefined : this.policies.get(policy);
    if (counts !== undefined) {
      counts[member]++;
    }
  }

  #change(sort: VerdictChange["sort"], policy: string, event: auditV1.Event, message: string): void {
    const namespace = event.objectRef?.namespace ?? "";
    const user = (event.impersonatedUser ?? event.user).username ?? "";
    const key = JSON.stringify([sort, policy, namespace, user]);
    const known = this.#changes.get(key);
    if (known !== undefined) {
      known.requests++;
    } else if (this.#changes.size < maxChanges) {
      const example = `${requestText(event)}${message === "" ? "" : `: ${message}`}`;
      this.#changes.set(key, { sort, policy, namespace, user, requests: 1, example });
    }
  }
}

type Change = readonly [sort: VerdictChange["sort"], policy: string, message: string];

function changesOf(
  { event, recorded, outcome }: ReplayedEvent & { readonly kind: "judged" },
  deniedBy: string | undefined,
  isCandidate: (policy: string) => boolean,
): readonly Change[] {
  const changes: Change[] = [];
  if (deniedBy === undefined && outcome.deniedBy !== undefined) {
    changes.push(["newly denied", outcome.deniedBy, outcome.denial?.message ?? ""]);
  }
  if (deniedBy !== undefined && outcome.deniedBy === undefined) {
    changes.push(["newly allowed", deniedBy, event.responseStatus?.message ?? ""]);
  }
  const auditedNow = auditedPolicies(outcome.annotations[failureKey]);
  const added = [...auditedNow].filter((policy) => !recorded.audited.has(policy));
  const dropped = [...recorded.audited].filter((policy) => isCandidate(policy) && !auditedNow.has(policy));
  return [
    ...changes,
    ...added.map((policy): Change => ["newly audited", policy, ""]),
    ...dropped.map((policy): Change => ["no longer audited", policy, ""]),
  ];
}

/** Returns a request as text: `create pods web (audit ID 3f6c...)`. */
function requestText({ verb, objectRef, auditID }: auditV1.Event): string {
  const { resource = "", subresource = "", name = "" } = objectRef ?? {};
  const what = subresource === "" ? resource : `${resource}/${subresource}`;
  return `${[verb, what, name].filter((part) => part !== "").join(" ")} (audit ID ${auditID})`;
}
