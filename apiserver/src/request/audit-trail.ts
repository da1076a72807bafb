import type { JsonObject } from "@gatehouse/envelopes/json";
import type { Status } from "@gatehouse/envelopes/status";

/** What the time of a request goes to, by the names that v1.29 has in audit annotations. */
export type AwaitedLayer =
  | "etcd"
  | "mutating-webhook"
  | "response-write"
  | "serialize-response-object"
  | "transform-response-object"
  | "validating-webhook";

/**
 * Where the parts of the server leave what the audit log is to tell of one request. A request of which nothing is recorded
 * has none, so that whoever has something to tell asks for it first: `audit?.annotate(...)`.
 */
export interface AuditTrail {
  /** The audit policy wants the body of the request. Bodies handed in otherwise are not kept. */
  readonly recordsRequest: boolean;
  /** The audit policy wants what is answered. */
  readonly recordsResponse: boolean;
  /** Bodies are kept without their managedFields. */
  readonly omitsManagedFields: boolean;

  /** Notes a short text under a key that names who says it. Of two values for a key the first stays, as in v1.29. */
  annotate(key: string, value: string): void;

  /** The JSON that the client has sent, as it has sent it. It has been parsed, so that it is known to be valid. */
  requestBody(json: Buffer): void;

  /** The same of a patch, whatever it says of managedFields. */
  requestPatch(json: Buffer): void;

  /** What the object of a write says of itself where the path does not: its name on create, its version on update. */
  identify(object: JsonObject): void;

  /** JSON of what is answered, in whatever form it is sent. It must stay as it is. */
  responseBody(json: Buffer): void;

  /** The same of what has been made without managedFields if they are to be left out: long lists, in their turns. */
  responseList(json: Buffer): void;

  /** The answer is a Status: more of it is told than the code. */
  responseStatus(status: Pick<Status, "details" | "message" | "reason" | "status">): void;

  /** So long has been waited for a layer; told of requests that were slow. Several add up, where they follow each other. */
  waitedFor(layer: AwaitedLayer, ms: number): void;

  /** The request ends since something unexpected was thrown. */
  panicked(error: unknown): void;
}

/** The trail of a request that has come over HTTP. */
export interface RequestAuditTrail extends AuditTrail {
  /**
   * It is known who asks: the policy decides, and the event RequestReceived is recorded. False: it must be, and cannot; the
   * request is to fail.
   */
  requestReceived(): boolean | Promise<boolean>;
}

/** A write that the server does by itself. */
export interface OwnWrite {
  /** Which of its parts does it: the name of a service account in kube-system. Empty for the server as a whole. */
  readonly controller: string;
  /** What the part calls itself. */
  readonly agent: string;
  readonly verb: "create" | "delete" | "update";
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  /** Empty on create. */
  readonly name: string;
}

/** The trail of such a write. */
export interface OwnWriteTrail extends AuditTrail {
  /** Something is about to be written. Rejects when that must be recorded first, and cannot. */
  begin(object: JsonObject | undefined): Promise<void>;
  /** It has been written, or has failed. Nothing is recorded of what has not begun. */
  end(code: number, answer: JsonObject | undefined): Promise<void>;
}

/** Records what the server does by itself; undefined of what the audit policy leaves out. */
export type RecordOwnWrite = (write: OwnWrite) => OwnWriteTrail | undefined;
