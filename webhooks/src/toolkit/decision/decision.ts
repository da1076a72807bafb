import type { Status, StatusDetails } from "@gatehouse/envelopes/status";
import type { PatchOperation } from "../json-patch/create-json-patch.js";

/** What goes with a decision, whatever it is. */
export interface DecisionNotes {
  /** Shown to whoever made the request. At best up to 120 characters each; servers cut and drop long and many ones. */
  readonly warnings: readonly string[];
  /** For the audit event. Servers put the name of the hook and a slash before each key. */
  readonly auditAnnotations: Readonly<Record<string, string>>;
}

/** The request may go on, changed by `patch`. */
export interface Allowed extends DecisionNotes {
  readonly allowed: true;
  /** Empty when nothing is changed. */
  readonly patch: readonly PatchOperation[];
  /** The same with these warnings after its own. */
  withWarnings(...warnings: readonly string[]): Allowed;
  /** The same with these annotations; they win over its own of the same key. */
  withAuditAnnotations(annotations: Readonly<Record<string, string>>): Allowed;
}

/** The request must not go on. */
export interface Denied extends DecisionNotes {
  readonly allowed: false;
  /** What the client is told; the server puts `admission webhook "x" denied the request: ` before the message. */
  readonly status: Status;
  /** The same with these warnings after its own. */
  withWarnings(...warnings: readonly string[]): Denied;
  /** The same with these annotations; they win over its own of the same key. */
  withAuditAnnotations(annotations: Readonly<Record<string, string>>): Denied;
}

/**
 * What a hook concludes: yes or no. The third outcome, that it fails to conclude, is to throw: the server hears HTTP 500,
 * and the failure policy of the hook decides.
 */
export type AdmissionDecision = Allowed | Denied;

/** What a denial says beyond its message. */
export interface DenyOptions {
  /** HTTP code of the answer that the client gets. Default 403. Servers make 400 of anything below 400. */
  readonly code?: number;
  /** Machine-readable reason. Default `Forbidden`. */
  readonly reason?: string;
  /** More for programs: which fields are wrong, and how. */
  readonly details?: StatusDetails;
}

const nothing: DecisionNotes = Object.freeze({ warnings: Object.freeze([]), auditAnnotations: Object.freeze({}) });
const noPatch: readonly PatchOperation[] = Object.freeze([]);
const allowed = createAllowed(noPatch, nothing);

/** Lets the request go on as it is. */
export function allow(): Allowed {
  return allowed;
}

/** Lets the request go on with these changes (RFC 6902). Only mutating hooks may; a mutator computes them by itself. */
export function patch(operations: readonly PatchOperation[]): Allowed {
  return createAllowed(operations, nothing);
}

/** Refuses the request. `message` is read by whoever made it: say what is wrong and what to do. */
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

/** The decision with these notes in the place of its own. */
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
