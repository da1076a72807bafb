import type { AuditLevel, AuditStage } from "@gatehouse/policies/audit";
import type { UserInfo } from "../request/user-info.js";
import { microTimeText } from "./micro-clock.js";

/** The members that all events of one request have in common. */
export interface AuditSubject {
  readonly auditID: string;
  /** Path and query, as they were sent. */
  readonly requestURI: string;
  /** The service verb, or the method in lower case. */
  readonly verb: string;
  /** The authenticated user; undefined if authentication failed. */
  readonly user: UserInfo | undefined;
  readonly sourceIPs: readonly string[];
  readonly userAgent: string;
  /** The time of receipt in microseconds since 1970. */
  readonly receivedMicros: number;
}

/** The object of a request (audit/v1 ObjectReference); empty members are left out. */
export interface AuditedObject {
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly apiGroup: string;
  readonly apiVersion: string;
  readonly resourceVersion: string;
  readonly subresource: string;
}

/** The status of an answer (meta/v1 Status); unless a Status was sent, little more than the code is recorded. */
export interface AuditedStatus {
  readonly status?: string | undefined;
  readonly message?: string | undefined;
  readonly reason?: string | undefined;
  readonly details?: object | undefined;
  readonly code: number;
}

/** The members of an event: the common ones of its request, and its own. */
export interface AuditEventInit {
  readonly subject: AuditSubject;
  readonly level: AuditLevel;
  readonly stage: AuditStage;
  readonly impersonatedUser?: UserInfo | undefined;
  readonly objectRef?: AuditedObject | undefined;
  readonly responseStatus?: AuditedStatus | undefined;
  /** The body of the request as JSON, on one line. */
  readonly requestObject?: Buffer | undefined;
  /** The body of the answer as JSON, on one line. */
  readonly responseObject?: Buffer | undefined;
  readonly stageMicros: number;
  readonly annotations?: ReadonlyMap<string, string> | undefined;
}

const typeMeta = '{"kind":"Event","apiVersion":"audit.k8s.io/v1",';

/** An audit event (audit/v1 Event). Immutable; it is encoded once, when a backend first needs that. */
export class AuditEvent {
  readonly init: AuditEventInit;
  #members: string | undefined;

  constructor(init: AuditEventInit) {
    this.init = init;
  }

  get level(): AuditLevel {
    return this.init.level;
  }

  get stage(): AuditStage {
    return this.init.stage;
  }

  /** The event as JSON on one line, without kind and version: an item of an EventList. */
  get item(): string {
    return `{${this.#encoded}}`;
  }

  /** The event as JSON on one line, with kind and version. */
  get document(): string {
    return `${typeMeta}${this.#encoded}}`;
  }

  get #encoded(): string {
    this.#members ??= encodeMembers(this.init);
    return this.#members;
  }

  /** Returns the event without bodies, marked as truncated. */
  truncated(): AuditEvent {
    const { requestObject: _requestObject, responseObject: _responseObject, ...init } = this.init;
    const annotations = new Map(init.annotations).set("audit.k8s.io/truncated", "true");
    return new AuditEvent({ ...init, annotations });
  }

  /** Bytes of bodies that the event keeps in memory. */
  get bodyBytes(): number {
    return (this.init.requestObject?.length ?? 0) + (this.init.responseObject?.length ?? 0);
  }
}

/** The encoded common members of one request's events, encoded once for all of them. */
interface EncodedSubject {
  readonly request: string;
  readonly client: string;
  readonly received: string;
}

const encodedSubjects = new WeakMap<AuditSubject, EncodedSubject>();

function encodeSubject(subject: AuditSubject): EncodedSubject {
  let encoded = encodedSubjects.get(subject);
  if (encoded === undefined) {
    const { requestURI, verb, user, sourceIPs, userAgent, receivedMicros } = subject;
    encoded = {
      request: `,"requestURI":${quote(requestURI)},"verb":${quote(verb)},"user":${encodeUser(user)}`,
      client:
        (sourceIPs.length === 0 ? "" : `,"sourceIPs":[${sourceIPs.map(quote).join(",")}]`) +
        (userAgent === "" ? "" : `,"userAgent":${quote(userAgent)}`),
      received: microTimeText(receivedMicros),
    };
    encodedSubjects.set(subject, encoded);
  }
  return encoded;
}

/** Encodes the members in v1.29's order, without empty ones. Written by hand, since every request has two of these. */
function encodeMembers(init: AuditEventInit): string {
  const { subject, impersonatedUser, objectRef, responseStatus, requestObject, responseObject, annotations } = init;
  const { request, client, received } = encodeSubject(subject);
  let json = `"level":"${init.level}","auditID":${quote(subject.auditID)},"stage":"${init.stage}"${request}`;
  if (impersonatedUser !== undefined) {
    json += `,"impersonatedUser":${encodeUser(impersonatedUser)}`;
  }
  json += client;
  if (objectRef !== undefined) {
    json += `,"objectRef":${encodeObject(objectRef)}`;
  }
  if (responseStatus !== undefined) {
    json += `,"responseStatus":${encodeStatus(responseStatus)}`;
  }
  if (requestObject !== undefined) {
    json += `,"requestObject":${requestObject}`;
  }
  if (responseObject !== undefined) {
    json += `,"responseObject":${responseObject}`;
  }
  const stageTime = init.stageMicros === subject.receivedMicros ? received : microTimeText(init.stageMicros);
  json += `,"requestReceivedTimestamp":"${received}","stageTimestamp":"${stageTime}"`;
  if (annotations !== undefined && annotations.size > 0) {
    const sorted = [...annotations].sort(([a], [b]) => (a < b ? -1 : 1));
    json += `,"annotations":{${sorted.map(([key, value]) => `${quote(key)}:${quote(value)}`).join(",")}}`;
  }
  return json;
}

function encodeUser(user: UserInfo | undefined): string {
  if (user === undefined) {
    return "{}";
  }
  const { username, uid = "", groups, extra } = user;
  const members: string[] = [];
  addText(members, "username", username);
  addText(members, "uid", uid);
  if (groups.length > 0) {
    members.push(`"groups":[${groups.map(quote).join(",")}]`);
  }
  const entries = extra === undefined ? [] : Object.entries(extra).sort(([a], [b]) => (a < b ? -1 : 1));
  if (entries.length > 0) {
    members.push(`"extra":{${entries.map(([key, values]) => `${quote(key)}:${JSON.stringify(values)}`).join(",")}}`);
  }
  return `{${members.join(",")}}`;
}

function encodeObject(object: AuditedObject): string {
  const members: string[] = [];
  addText(members, "resource", object.resource);
  addText(members, "namespace", object.namespace);
  addText(members, "name", object.name);
  addText(members, "uid", object.uid);
  addText(members, "apiGroup", object.apiGroup);
  addText(members, "apiVersion", object.apiVersion);
  addText(members, "resourceVersion", object.resourceVersion);
  addText(members, "subresource", object.subresource);
  return `{${members.join(",")}}`;
}

function addText(members: string[], name: string, text: string): void {
  if (text !== "") {
    members.push(`"${name}":${quote(text)}`);
  }
}

function encodeStatus({ status, message, reason, details, code }: AuditedStatus): string {
  return status === undefined && message === undefined
    ? `{"metadata":{},"code":${code}}`
    : JSON.stringify({ metadata: {}, status, message, reason, details, code }, withoutEmpty);
}

function withoutEmpty(_key: string, value: unknown): unknown {
  return value === "" ? undefined : value;
}

/** The pattern of texts that need no escape, as most. */
const plain = /^[ !#-[\]-~]*$/;

function quote(text: string): string {
  return plain.test(text) ? `"${text}"` : JSON.stringify(text);
}
