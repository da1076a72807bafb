import type { Status, StatusDetails } from "@gatehouse/envelopes/status";
import type { PatchOperation } from "../json-patch/create-json-patch.js";

/** Warnings and audit annotations of a decision of either kind. */
export interface DecisionNotes {
  /**
   * Warnings to the client, best up to 120 characters each: servers truncate long ones and drop those beyond a total.
   */
  readonly warnings: readonly string[];
  /** Annotations of the audit event. Servers put the name of the hook and a slash before each key. */
  readonly auditAnnotations: Readonly<Record<string, string>>;
}

/** A decision that allows the request, changed by `patch`. */
export interface Allowed extends DecisionNotes {
  readonly allowed: true;
  /** Operations that change the object (RFC 6902); empty when nothing is changed. */
  readonly patch: readonly PatchOperation[];
  /** Returns the decision with these warnings after its own. */
  withWarnings(...warnings: readonly string[]): Allowed;
  /** Returns the decision with these annotations, which replace its own of the same key. */
  withAuditAnnotations(annotations: Readonly<Record<string, string>>): Allowed;
}

/** A decision that denies the request. */
export interface Denied extends DecisionNotes {
  readonly allowed: false;
  /** Status that the client gets; the server puts `admission webhook "x" denied the request: ` before the message. */
  readonly status: Status;
  /** Returns the decision with these warnings after its own. */
  withWarnings(...warnings: readonly string[]): Denied;
  /** Returns the decision with these annotations, which replace its own of the same key. */
  withAuditAnnotations(annotations: Readonly<Record<string, string>>): Denied;
}

/**
 * A decision of a hook: allowed or denied. A handler that fails to decide throws: the server gets HTTP 500, and the
 * failure policy of the hook applies.
 */
export type AdmissionDecision = Allowed | Denied;

/** Options of a denial. */
export interface DenyOptions {
  /** HTTP code of the answer to the client. Default 403. Servers replace codes below 400 by 400. */
  readonly code?: number;
  /** Machine-readable reason. Default `Forbidden`. */
  readonly reason?: string;
  /** Details for programs: the fields that are wrong, and how. */
  readonly details?: StatusDetails;
}

const nothing: DecisionNotes = Object.freeze({ warnings: Object.freeze([]), auditAnnotations: Object.freeze({}) });
const noPatch: readonly PatchOperation[] = Object.freeze([]);
const allowed = createAllowed(noPatch, nothing);

/** Allows the request unchanged. */
export function allow(): Allowed {
  return allowed;
}

/** Allows the request with changes (RFC 6902), in mutating hooks only. `mutator` computes the operations by itself. */
export function patch(operations: readonly PatchOperation[]): Allowed {
  return createAllowed(operations, nothing);
}

/** Denies the request. The client reads `message`, which should say what is wrong and what to do. */
export function deny(message: string, options: DenyOptions = {}): Denied {
  const { code = 403, reason = "Forbidden", details } = options;
  const status: Status = {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message,
    reason,
    ...(details === undefined ? {} : { details }),
    code,
  };
  return createDenied(status, nothing);
}

/** Returns the decision with these notes in place of its own. */
export function withNotes(decision: AdmissionDecision, notes: DecisionNotes): AdmissionDecision {
  return decision.allowed ? createAllowed(decision.patch, notes) : createDenied(decision.status, notes);
}

function createAllowed(operations: readonly PatchOperation[], notes: DecisionNotes): Allowed {
  return Object.freeze<Allowed>({
    warnings: notes.warnings,
    auditAnnotations: notes.auditAnnotations,
    allowed: true,
    patch: operations,
    withWarnings: (...warnings) => createAllowed(operations, addWarnings(notes, warnings)),
    withAuditAnnotations: (annotations) => createAllowed(operations, addAnnotations(notes, annotations)),
  });
}

function createDenied(status: Status, notes: DecisionNotes): Denied {
  return Object.freeze<Denied>({
    warnings: notes.warnings,
    auditAnnotations: notes.auditAnnotations,
    allowed: false,
    status,
    withWarnings: (...warnings) => createDenied(status, addWarnings(notes, warnings)),
    withAuditAnnotations: (annotations) => createDenied(status, addAnnotations(notes, annotations)),
  });
}

function addWarnings(notes: DecisionNotes, warnings: readonly string[]): DecisionNotes {
  return { auditAnnotations: notes.auditAnnotations, warnings: [...notes.warnings, ...warnings] };
}

function addAnnotations(notes: DecisionNotes, annotations: Readonly<Record<string, string>>): DecisionNotes {
  return { warnings: notes.warnings, auditAnnotations: { ...notes.auditAnnotations, ...annotations } };
}
