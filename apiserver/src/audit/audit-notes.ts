import { isJsonObject, type JsonObject } from "@gatehouse/envelopes/json";
import { type AuditLevel, type AuditStage, type AuditVerdict, compareAuditLevels } from "@gatehouse/policies/audit";
import type { AuditTrail, AwaitedLayer } from "../request/audit-trail.js";
import type { RequestInfo } from "../request/request-info.js";
import type { UserInfo } from "../request/user-info.js";
import { AuditEvent, type AuditedObject, type AuditedStatus, type AuditSubject } from "./audit-event.js";
import { latencyAnnotations } from "./latency.js";
import { onOneLine, withoutManagedFields, withoutTokens } from "./recorded-json.js";
import { objectOf } from "./request-facts.js";

/** The collected contents of the events of one request or write. */
export class AuditNotes implements AuditTrail {
  readonly #info: RequestInfo;
  #verdict: AuditVerdict | undefined;
  #annotations: Map<string, string> | undefined;
  /** Annotations of the last event alone. */
  #endAnnotations: Map<string, string> | undefined;
  #objectRef: AuditedObject | undefined;
  #requestObject: Buffer | undefined;
  #responseObject: Buffer | undefined;
  #status: Omit<AuditedStatus, "code"> | undefined;
  #panic: AuditedStatus | undefined;
  #waited: Map<AwaitedLayer, number> | undefined;

  constructor(info: RequestInfo) {
    this.#info = info;
    this.#objectRef = objectOf(info);
  }

  get isDecided(): boolean {
    return this.#verdict !== undefined;
  }

  /** Sets the verdict of the policy, which says how much is recorded. */
  decide(verdict: AuditVerdict): void {
    this.#verdict = verdict;
  }

  get recordsRequest(): boolean {
    return this.#records("Request");
  }

  get recordsResponse(): boolean {
    return this.#records("RequestResponse");
  }

  get omitsManagedFields(): boolean {
    return this.#verdict?.omitManagedFields === true;
  }

  #records(level: AuditLevel): boolean {
    return this.#verdict !== undefined && compareAuditLevels(this.#verdict.level, level) >= 0;
  }

  /** True if a Status has been answered. */
  get hasStatus(): boolean {
    return this.#status !== undefined;
  }

  get hasPanicked(): boolean {
    return this.#panic !== undefined;
  }

  annotate(key: string, value: string): void {
    this.#annotations ??= new Map();
    if (!this.#annotations.has(key)) {
      this.#annotations.set(key, value);
    }
  }

  annotateEnd(key: string, value: string): void {
    this.#endAnnotations ??= new Map();
    this.#endAnnotations.set(key, value);
  }

  requestBody(json: Buffer): void {
    if (this.recordsRequest) {
      const line = onOneLine(json);
      this.#requestObject = withoutTokens(this.omitsManagedFields ? withoutManagedFields(line) : line, this.#info);
    }
  }

  requestPatch(json: Buffer): void {
    if (this.recordsRequest) {
      this.#requestObject = onOneLine(json);
    }
  }

  identify(object: JsonObject): void {
    const { metadata } = object;
    if (this.#objectRef === undefined || !isJsonObject(metadata)) {
      return;
    }
    const known = this.#objectRef;
    const or = (text: string, member: "name" | "namespace" | "resourceVersion" | "uid"): string => {
      const said = metadata[member];
      return text === "" && typeof said === "string" ? said : text;
    };
    this.#objectRef = {
      ...known,
      namespace: or(known.namespace, "namespace"),
      name: or(known.name, "name"),
      uid: or(known.uid, "uid"),
      resourceVersion: or(known.resourceVersion, "resourceVersion"),
    };
  }

  responseBody(json: Buffer): void {
    if (this.recordsResponse) {
      this.responseList(this.omitsManagedFields ? withoutManagedFields(json) : json);
    }
  }

  responseList(json: Buffer): void {
    if (this.recordsResponse) {
      this.#responseObject = withoutTokens(onOneLine(json), this.#info);
    }
  }

  responseStatus({ status, message, reason, details }: Parameters<AuditTrail["responseStatus"]>[0]): void {
    this.#status = { status, message, reason, details };
  }

  /** Records why a request failed whose answer is no Status for the log. */
  protected unsentStatus(message: string): void {
    this.#status = { message };
  }

  waitedFor(layer: AwaitedLayer, ms: number): void {
    this.#waited ??= new Map();
    const before = this.#waited.get(layer) ?? 0;
    // Validating webhooks are asked beside each other: the slowest counts.
    this.#waited.set(layer, layer === "validating-webhook" ? Math.max(before, ms) : before + ms);
  }

  /** Adds the latency annotations to the last event; `ms` is the duration of the whole request. */
  protected took(ms: number): void {
    for (const [key, value] of latencyAnnotations(ms, this.#waited)) {
      this.annotate(key, value);
    }
  }

  panicked(error: unknown): void {
    const what = error instanceof Error ? error.message : String(error);
    const message = `APIServer panic'd: ${what}`;
    this.#panic = { code: 500, status: "Failure", reason: "InternalError", message };
  }

  /**
   * Returns the event of a stage; undefined if the policy omits it. `code` is that of the answer, 0 if there is none
   * yet.
   */
  event(
    stage: AuditStage,
    subject: AuditSubject,
    stageMicros: number,
    code: number,
    impersonatedUser?: UserInfo,
  ): AuditEvent | undefined {
    const { level, omitStages } = this.#verdict ?? { level: "None", omitStages: noStages };
    if (level === "None" || omitStages.has(stage)) {
      return undefined;
    }
    const answered = code === 0 ? undefined : { ...this.#status, code };
    return new AuditEvent({
      subject,
      level,
      stage,
      impersonatedUser,
      objectRef: this.#objectRef,
      responseStatus: stage === "Panic" ? this.#panic : answered,
      requestObject: this.#requestObject,
      responseObject: this.#responseObject,
      stageMicros,
      annotations: this.#annotationsAt(stage),
    });
  }

  #annotationsAt(stage: AuditStage): ReadonlyMap<string, string> | undefined {
    const last = stage === "ResponseComplete" ? this.#endAnnotations : undefined;
    if (last === undefined) {
      return this.#annotations === undefined ? undefined : new Map(this.#annotations);
    }
    return new Map([...last, ...(this.#annotations ?? [])]);
  }
}

const noStages: ReadonlySet<AuditStage> = new Set();
