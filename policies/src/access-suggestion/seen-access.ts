import type { auditV1 } from "@gatehouse/envelopes/types";
import { type AuditedAccess, auditedAccess, isPathAccess } from "./audited-access.js";

/** The accesses of one user in audit events, each once. */
export interface SeenAccess {
  readonly user: string;
  /** Requests that were allowed, or that no authorizer denied. */
  readonly allowed: readonly AuditedAccess[];
  /** Requests that were denied. */
  readonly denied: readonly AuditedAccess[];
  /** The number of events of this user. */
  readonly events: number;
  /** The times of the first and the last event, as written there; none without events. */
  readonly from: string | undefined;
  readonly to: string | undefined;
}

const decisionAnnotation = "authorization.k8s.io/decision";
const impersonatedGroups = /^system:serviceaccount:([^:]+):([^:]+)$/;

/** Collects the accesses of a user from events in any order, of any stage; events of other users are ignored. */
export class AccessObserver {
  readonly #user: string;
  readonly #allowed = new Map<string, AuditedAccess>();
  readonly #denied = new Map<string, AuditedAccess>();
  #events = 0;
  #from: string | undefined;
  #to: string | undefined;

  constructor(user: string) {
    this.#user = user;
  }

  /** Takes one event. Those of users who acted as somebody else count for both: one impersonates, the other acts. */
  observe(event: auditV1.Event): void {
    const { impersonatedUser } = event;
    const actsAs = impersonatedUser?.username ?? event.user.username;
    const hasImpersonated = impersonatedUser !== undefined && event.user.username === this.#user;
    if (actsAs !== this.#user && !hasImpersonated) {
      return;
    }
    this.#count(event);
    if (event.stage === "RequestReceived") {
      // It is not authorized yet; the event of a later stage will tell.
      return;
    }
    if (actsAs === this.#user) {
      const isDenied = event.annotations?.[decisionAnnotation] === "forbid";
      this.#note(auditedAccess(event), isDenied ? this.#denied : this.#allowed);
    }
    if (hasImpersonated) {
      // Events tell of those only who may be impersonated; what was denied then was denied to them.
      for (const access of impersonationsOf(impersonatedUser)) {
        this.#note(access, this.#allowed);
      }
    }
  }

  /** Returns the accesses seen so far. An access that was denied once and allowed later counts as allowed. */
  seen(): SeenAccess {
    return {
      user: this.#user,
      allowed: [...this.#allowed.values()],
      denied: [...this.#denied].filter(([key]) => !this.#allowed.has(key)).map(([, access]) => access),
      events: this.#events,
      from: this.#from,
      to: this.#to,
    };
  }

  #count(event: auditV1.Event): void {
    this.#events++;
    const time = event.requestReceivedTimestamp ?? undefined;
    if (time !== undefined) {
      this.#from = this.#from === undefined || time < this.#from ? time : this.#from;
      this.#to = this.#to === undefined || time > this.#to ? time : this.#to;
    }
  }

  #note(access: AuditedAccess, where: Map<string, AuditedAccess>): void {
    where.set(keyOf(access), access);
  }
}

function keyOf(access: AuditedAccess): string {
  return isPathAccess(access)
    ? JSON.stringify([access.verb, access.path])
    : JSON.stringify([access.verb, access.apiGroup, access.resource, access.namespace, access.name]);
}

/** Returns the accesses needed to impersonate a user: the verb `impersonate` on the name, each group, uid and extra. */
function impersonationsOf({
  username = "",
  groups = [],
  uid,
  extra = {},
}: NonNullable<auditV1.Event["impersonatedUser"]>) {
  const on = (resource: string, name: string, apiGroup = "", namespace = ""): AuditedAccess => {
    return { verb: "impersonate", apiGroup, resource, namespace, name };
  };
  const account = impersonatedGroups.exec(username);
  const authentication = "authentication.k8s.io";
  return [
    account === null ? on("users", username) : on("serviceaccounts", account[2] ?? "", "", account[1]),
    // Those of service accounts, and of all who are authenticated, are added by the server.
    ...groups
      .filter((group) => !/^system:(?:serviceaccounts|authenticated)/.test(group))
      .map((group) => on("groups", group)),
    ...(uid === undefined || uid === "" ? [] : [on("uids", uid, authentication)]),
    ...Object.entries(extra).flatMap(([key, values]) =>
      (values ?? []).map((value) => on(`userextras/${key}`, value, authentication)),
    ),
  ];
}
