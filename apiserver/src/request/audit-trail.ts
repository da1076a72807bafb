import type { JsonObject } from "@gatehouse/envelopes/json";
import type { Status } from "@gatehouse/envelopes/status";

/** A layer that a request waits for, by its name in v1.29's audit annotations. */
export type AwaitedLayer =
  | "etcd"
  | "response-write"
  | "serialize-response-object"
  | "transform-response-object"
  | WebhookLayer;

/** The layers of webhooks. */
export type WebhookLayer = "mutating-webhook" | "validating-webhook";

/**
 * The collector of what the audit log records about one request. A request of which nothing is recorded has none, so
 * callers write `audit?.annotate(...)`.
 */
export interface AuditTrail {
  /** True if the audit policy wants the body of the request. Bodies handed in otherwise are not kept. */
  readonly recordsRequest: boolean;
  /** True if the audit policy wants the body of the answer. */
  readonly recordsResponse: boolean;
  /** True if bodies are kept without their managedFields. */
  readonly omitsManagedFields: boolean;

  /** Notes a short text under a key that names its author. The first of two values for a key stays, as in v1.29. */
  annotate(key: string, value: string): void;

  /** Notes a short text that only the event of the complete answer has, not that of its beginning. */
  annotateEnd(key: string, value: string): void;

  /** Records the JSON of the request as the client sent it. The JSON has been parsed, so it is known to be valid. */
  requestBody(json: Buffer): void;

  /** Records the JSON of a patch as the client sent it, with any managedFields in it. */
  requestPatch(json: Buffer): void;

  /** Takes from the object of a write what the path does not tell: its name on create, its version on update. */
  identify(object: JsonObject): void;

  /** Records the JSON of the answer, in whatever form it is sent. The buffer must not change afterwards. */
  responseBody(json: Buffer): void;

  /** Records the JSON of a list that was already made without managedFields if they are to be left out. */
  responseList(json: Buffer): void;

  /** Records that the answer is a Status: more of it is kept than the code. */
  responseStatus(status: Pick<Status, "details" | "message" | "reason" | "status">): void;

  /** Adds to the time in milliseconds that the request waited for a layer; recorded for slow requests only. */
  waitedFor(layer: AwaitedLayer, ms: number): void;

  /** Records that the request ends because of an unexpected exception. */
  panicked(error: unknown): void;
}

/** The audit trail of a request that came over HTTP. */
export interface RequestAuditTrail extends AuditTrail {
  /**
   * Applies the audit policy once the user is known, and records the event RequestReceived. Returns false if the event
   * must be recorded and cannot be: the request is to fail.
   */
  requestReceived(): boolean | Promise<boolean>;
}

/** A write that a part of the server makes itself, not for a request. */
export interface OwnWrite {
  /** The name of the service account in kube-system for which the part acts; empty for the server as a whole. */
  readonly controller: string;
  /** The user agent of the part. */
  readonly agent: string;
  readonly verb: "create" | "delete" | "patch" | "update";
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  /** The name of the object; empty on create, and for a deletion of all objects of a namespace. */
  readonly name: string;
}

/** The audit trail of a write that the server makes itself. */
export interface OwnWriteTrail extends AuditTrail {
  /** Announces the write. Rejects when the announcement must be recorded and cannot be. */
  begin(object: JsonObject | undefined): Promise<void>;
  /** Records that the write succeeded or failed. Records nothing for a write that was not begun. */
  end(code: number, answer: JsonObject | undefined): Promise<void>;
}

/** Records what the server does by itself; undefined of what the audit policy leaves out. */
export type RecordOwnWrite = (write: OwnWrite) => OwnWriteTrail | undefined;
