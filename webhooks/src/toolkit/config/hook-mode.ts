import { parseTime } from "@gatehouse/envelopes/codec";
import type { gatehouseadmissionV1alpha1 } from "@gatehouse/envelopes/types";
import { type AdmissionDecision, allow, type Denied } from "../decision/decision.js";
import type { AdmissionRequest } from "../handlers/admission-request.js";
import type { Hook } from "../hooks/hook.js";

/** The strictness of a hook, as a configuration document states it. */
export interface HookStrictness {
  /** Effect of a denial. Default `Enforce`. */
  readonly mode?: "Enforce" | "Warn" | "Audit";
  readonly exceptions?: readonly gatehouseadmissionV1alpha1.HookException[];
  /** Returns the present in milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
}

interface Exception {
  readonly reason: string;
  readonly expiresMs: number;
  matches(request: AdmissionRequest): boolean;
}

/**
 * Returns the hook with a mode and exceptions. A hook that only warns or audits refuses and changes nothing, and its
 * failure policy is Ignore: a failure must not refuse either. Warnings tell which exception lets a request through, and
 * which would have if it had not expired.
 */
export function withStrictness(
  hook: Hook,
  { mode = "Enforce", exceptions = [], now = Date.now }: HookStrictness,
): Hook {
  const compiled = exceptions.map(compile);
  return Object.freeze<Hook>({
    ...hook,
    failurePolicy: mode === "Enforce" ? hook.failurePolicy : "Ignore",
    async handler(request, context) {
      const decision = await hook.handler(request, context);
      if (decision.allowed && decision.patch.length === 0) {
        return decision;
      }
      const exception = compiled.find((candidate) => candidate.matches(request));
      if (exception !== undefined && now() < exception.expiresMs) {
        return allow().withAuditAnnotations({ exception: exception.reason });
      }
      const judged = byMode(decision, mode, hook);
      const since = exception && new Date(exception.expiresMs).toISOString();
      return since === undefined
        ? judged
        : judged.withWarnings(`${hook.name}: an exception for this has expired at ${since}`);
    },
  });
}

function byMode(decision: AdmissionDecision, mode: HookStrictness["mode"] & string, hook: Hook): AdmissionDecision {
  if (mode === "Enforce") {
    return decision;
  }
  const text = decision.allowed ? "would change this object" : `would deny this: ${messageOf(decision)}`;
  const kept = allow()
    .withWarnings(...decision.warnings)
    .withAuditAnnotations(decision.auditAnnotations);
  return mode === "Warn" ? kept.withWarnings(`${hook.name} ${text}`) : kept.withAuditAnnotations({ audit: text });
}

function messageOf({ status }: Denied): string {
  return status.message ?? "without explanation";
}

function compile(exception: gatehouseadmissionV1alpha1.HookException): Exception {
  const { seconds } = parseTime(String(exception.expires));
  const namespaces = setOf(exception.namespaces);
  const names = setOf(exception.names);
  const users = setOf(exception.users);
  return {
    reason: exception.reason,
    expiresMs: seconds * 1000,
    matches: ({ namespace, name, userInfo }) =>
      namespaces?.has(namespace) !== false &&
      names?.has(name) !== false &&
      users?.has(userInfo.username ?? "") !== false,
  };
}

/** Returns the items as a set; undefined for an absent or empty list. */
function setOf(list: readonly string[] | undefined): ReadonlySet<string> | undefined {
  return list === undefined || list.length === 0 ? undefined : new Set(list);
}
