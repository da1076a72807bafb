import type { JsonObject, Status } from "@gatehouse/envelopes";

/**
 * Where the parts of the server leave what the audit log is to tell of one request. A request of which nothing is recorded
 * has none, so that whoever has something to tell asks for it first: `audit?.annotate(...)`.
 */
export interface AuditTrail {
  /** The audit policy wants the body of the request. Bodies handed in otherwise are not kept. */
  readonly recordsRequest: boolean;
  /** The audit policy wants what is answered. */
  readonly recordsResponse: boolean;

  /** Notes a short text under a key that names who says it. Of two values for a key the first stays, as in v1.29. */
  annotate(key: string, value: string): void;

  /** The JSON that the client has sent, as it has sent it: parsed already, so that it is known to be valid. */
  requestBody(json: Buffer): void;

  /** What a client has sent in another form than JSON. */
  requestObject(object: JsonObject): void;

  /** What the object of a write says of itself, where the path does not: its name on create, its version on update. */
  identify(object: JsonObject): void;

  /** JSON of what is answered, in whatever form it is sent. It must stay as it is. */
  responseBody(json: Buffer): void;

  /** The answer is a Status: more of it is told than the code. */
  responseStatus(status: Status): void;

  /** The request ends since something unexpected was thrown. */
  panicked(error: unknown): void;
}
