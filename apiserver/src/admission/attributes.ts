import type { JsonObject } from "@gatehouse/envelopes/json";
import type { GroupVersionKind, GroupVersionResource } from "@gatehouse/envelopes/schema";
import { validateQualifiedName } from "@gatehouse/envelopes/validation";
import type { WebhookLayer } from "../request/audit-trail.js";
import type { Caller } from "../request/caller.js";
import type { RequestTrace } from "../request/request-trace.js";
import type { UserInfo } from "../request/user-info.js";
import { Blame } from "./blame.js";
import { Reinvocation } from "./reinvocation.js";

/** The kind of write, as admission names it; the verb patch is an UPDATE. */
export type Operation = "CREATE" | "UPDATE" | "DELETE" | "CONNECT";

/** The facts about a write that a verb handler submits to admission. */
export interface AttributesInit {
  readonly operation: Operation;
  /** The user on whose behalf the write is done; its path names the object. */
  readonly caller: Caller;
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  /** The name of the subresource; empty or absent for the object itself. */
  readonly subresource?: string;
  /** The name of the object in admission, where it differs from the one in the path: that of a new object. */
  readonly name?: string;
  /** The namespace of the object; for a namespace, its own name. Absent: the one in the path. */
  readonly namespace?: string;
  /** The object as it would be stored, or the body posted to a subresource. Undefined for DELETE. */
  readonly object?: JsonObject | undefined;
  /** The object as it is stored. Undefined for CREATE. */
  readonly oldObject?: JsonObject | undefined;
  /** The CreateOptions, UpdateOptions or DeleteOptions of `meta.k8s.io/v1`; empty for CONNECT, which has none. */
  readonly options: JsonObject;
  readonly dryRun: boolean;
  /**
   * Tells whether the managed fields of the object have a time of this write: v1.29 keeps a fraction of its second until the first
   * patch of a webhook. Absent: they have none.
   */
  readonly hasNewTime?: (() => boolean) | undefined;
}

/**
 * One write, as admission sees it. Objects are of the served version. It knows nothing of how resources are served or
 * stored: a plugin that must read more is given a reader of its own.
 */
export class AdmissionAttributes {
  readonly operation: Operation;
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  /** The name of the subresource; empty for the object itself. */
  readonly subresource: string;
  /** The object as it is stored, which must not be kept or changed. Undefined for CREATE. */
  readonly oldObject: JsonObject | undefined;
  readonly options: JsonObject;
  readonly dryRun: boolean;
  /** The namespace of the object; for a namespace, its own name. Empty for cluster-scoped objects. */
  readonly namespace: string;
  readonly #caller: Caller;
  readonly #object: JsonObject | undefined;
  #name: string;
  #isChanged = false;
  #hasNewTime: (() => boolean) | undefined;
  #annotations: Map<string, string> | undefined;
  #requestAnnotations: Map<string, string> | undefined;
  #reinvocation: Reinvocation | undefined;
  #blame: Blame | undefined;

  constructor(init: AttributesInit) {
    this.operation = init.operation;
    this.kind = init.kind;
    this.resource = init.resource;
    this.subresource = init.subresource ?? "";
    this.#object = init.object;
    this.oldObject = init.oldObject;
    this.options = init.options;
    this.dryRun = init.dryRun;
    this.#caller = init.caller;
    this.#hasNewTime = init.hasNewTime;
    this.#name = init.name ?? init.caller.info.name;
    this.namespace = init.namespace ?? init.caller.info.namespace;
  }

  /** The name in the path or, on create, the name of the new object; empty until a name is generated. */
  get name(): string {
    return this.#name;
  }

  /** The name in the path; empty where a new object is posted. */
  get pathName(): string {
    return this.#caller.info.name;
  }

  /** Sets the name that was generated between the two phases. Called by the verb. */
  named(name: string): void {
    this.#name = name;
  }

  get user(): UserInfo {
    return this.#caller.user;
  }

  /** The signal that aborts when nobody waits for the outcome any more. */
  get signal(): AbortSignal {
    return this.#caller.signal;
  }

  /** Milliseconds until `signal` aborts by itself; infinite where nothing says when. */
  get remainingMs(): number {
    const { deadlineMs } = this.#caller;
    return deadlineMs === undefined ? Number.POSITIVE_INFINITY : deadlineMs - performance.now();
  }

  /**
   * Lets other work run if it is time for that, as a context of work in steps: for steps that may take long whatever the
   * object.
   */
  yield(): Promise<void> | undefined {
    return this.#caller.yield();
  }

  /** Yields if the request is about something large. `foundBytes` is the length of what did not come with the request. */
  yieldIfLarge(foundBytes?: number): Promise<void> | undefined {
    return this.#caller.yieldIfLarge(foundBytes);
  }

  /** The object as it would be stored. Only `mutate` may change it. */
  get object(): JsonObject | undefined {
    return this.#object;
  }

  /** The state of the second run of the mutating phase. */
  get reinvocation(): Reinvocation {
    this.#reinvocation ??= new Reinvocation();
    return this.#reinvocation;
  }

  /** True once a plugin has changed the object. */
  get isChanged(): boolean {
    return this.#isChanged;
  }

  /** The audit annotations of plugins, by qualified key. */
  get annotations(): ReadonlyMap<string, string> {
    return this.#annotations ?? noAnnotations;
  }

  /** Audit annotations that quote the object, so they are recorded only where requests are recorded whole. */
  get requestAnnotations(): ReadonlyMap<string, string> {
    return this.#requestAnnotations ?? noAnnotations;
  }

  /** Lets a plugin change the object, in place or by returning another one to take its place. */
  mutate(change: (object: JsonObject) => JsonObject | undefined): void {
    const object = this.#object;
    if (object === undefined) {
      throw new Error(`a ${this.operation} has no object to change`);
    }
    this.#isChanged = true;
    const next = change(object);
    if (next !== undefined && next !== object) {
      for (const key of Object.keys(object)) {
        delete object[key];
      }
      Object.assign(object, next);
    }
  }

  /** Cuts the times of managed fields to seconds, as a patch does in v1.29. Reports whether that has changed the object. */
  cutTimes(): boolean {
    const isCut = this.#hasNewTime?.() ?? false;
    this.#hasNewTime = undefined;
    return isCut;
  }

  /**
   * Sets an audit annotation; the first of two values for a key stays, as in v1.29. A key that is no qualified name with a
   * prefix is left out as there: webhooks choose a part of it.
   */
  annotate(key: string, value: string): void {
    if (!key.includes("/") || validateQualifiedName(key).length > 0) {
      return;
    }
    this.#annotations ??= new Map();
    keepFirst(this.#annotations, key, value);
    this.#caller.audit?.annotate(key, value);
  }

  /** Sets an audit annotation that quotes the object. The first of two values for a key stays. */
  annotateRequest(key: string, value: string): void {
    this.#requestAnnotations ??= new Map();
    keepFirst(this.#requestAnnotations, key, value);
    if (this.#caller.audit?.recordsRequest === true) {
      this.#caller.audit.annotate(key, value);
    }
  }

  /** Records the milliseconds that a webhook was waited for. */
  waitedFor(layer: WebhookLayer, ms: number): void {
    this.#caller.waitedForWebhook?.(layer === "mutating-webhook", ms);
    this.#caller.audit?.waitedFor(layer, ms);
  }

  /** The span of the trace that the write is in; undefined for one that is not traced. */
  get trace(): RequestTrace | undefined {
    return this.#caller.trace;
  }

  /** The record of the changes that each plugin makes; undefined where none is kept. */
  get blame(): Blame | undefined {
    return this.#blame;
  }

  /** Begins the record of changes. Called by the chain before the first plugin. */
  beginBlame(): void {
    this.#blame ??= new Blame();
  }

  /** Ends the record of changes. Called by the chain after the last plugin. */
  endBlame(): void {
    if (this.#blame !== undefined) {
      this.annotate("blame.admission.gatehouse.dev/entries", this.#blame.text());
      this.#caller.tellBlame?.(this.#blame.headerText());
    }
  }

  /** Sends the client a warning. */
  warn(message: string): void {
    this.#caller.warn(message);
  }
}

const noAnnotations: ReadonlyMap<string, string> = new Map();

function keepFirst(annotations: Map<string, string>, key: string, value: string): void {
  if (!annotations.has(key)) {
    annotations.set(key, value);
  }
}
