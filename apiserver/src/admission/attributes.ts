import type { GroupVersionKind, GroupVersionResource, JsonObject } from "@gatehouse/envelopes";
import type { AwaitedLayer } from "../request/audit-trail.js";
import type { Caller } from "../request/caller.js";
import type { UserInfo } from "../request/user-info.js";
import { Blame } from "./blame.js";
import { Reinvocation } from "./reinvocation.js";

/** What is done to an object, as admission calls it; the verb patch is an UPDATE. */
export type Operation = "CREATE" | "UPDATE" | "DELETE" | "CONNECT";

/** What a verb handler knows of the write that it submits to admission. */
export interface AttributesInit {
  readonly operation: Operation;
  /** On whose behalf the write is done; its path names the object. */
  readonly caller: Caller;
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  /** Empty for the object itself. */
  readonly subresource?: string;
  /** What the path names, if that is not what admission calls it: a new object has the name that is to be its own. */
  readonly name?: string;
  /** Of a namespace itself, its own name. That of the path when absent. */
  readonly namespace?: string;
  /** As it would be stored, or what is posted to a subresource. Undefined for DELETE. */
  readonly object?: JsonObject | undefined;
  /** As it is stored. Undefined for CREATE. */
  readonly oldObject?: JsonObject | undefined;
  /** CreateOptions, UpdateOptions or DeleteOptions of `meta.k8s.io/v1`; empty for CONNECT, which has none. */
  readonly options: JsonObject;
  readonly dryRun: boolean;
}

/**
 * One write, as admission sees it. Objects are of the served version. It knows nothing of how resources are served or
 * stored: a plugin that must read more is given a reader of its own.
 */
export class AdmissionAttributes {
  readonly operation: Operation;
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  /** Empty for the object itself. */
  readonly subresource: string;
  /** Must not be kept or changed. */
  readonly oldObject: JsonObject | undefined;
  readonly options: JsonObject;
  readonly dryRun: boolean;
  /** Empty for objects that are in none. For namespaces themselves it is their name. */
  readonly namespace: string;
  readonly #caller: Caller;
  readonly #object: JsonObject | undefined;
  #name: string;
  #isChanged = false;
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
    this.#name = init.name ?? init.caller.info.name;
    this.namespace = init.namespace ?? init.caller.info.namespace;
  }

  /** As in the path; on create, what the object is to be called, empty while a name is yet to be generated. */
  get name(): string {
    return this.#name;
  }

  /** What the path names: nothing where a new object is posted. */
  get pathName(): string {
    return this.#caller.info.name;
  }

  /** For the verb: a name has been generated between the two phases. */
  named(name: string): void {
    this.#name = name;
  }

  get user(): UserInfo {
    return this.#caller.user;
  }

  /** Aborts when nobody waits for the outcome any more. */
  get signal(): AbortSignal {
    return this.#caller.signal;
  }

  /** Milliseconds until `signal` aborts by itself; infinite where nothing says when. */
  get remainingMs(): number {
    const { deadlineMs } = this.#caller;
    return deadlineMs === undefined ? Number.POSITIVE_INFINITY : deadlineMs - performance.now();
  }

  /**
   * Called between pieces of work: what it returns is to be awaited before the next one. `foundBytes` tells of something
   * that is worked on and that the request did not bring itself.
   */
  breathe(foundBytes?: number): Promise<void> | undefined {
    return this.#caller.breathe(foundBytes);
  }

  /** The object as it would be stored. Only `mutate` may change it. */
  get object(): JsonObject | undefined {
    return this.#object;
  }

  /** Whether the mutating phase runs for the second time, and what there is to say about that. */
  get reinvocation(): Reinvocation {
    this.#reinvocation ??= new Reinvocation();
    return this.#reinvocation;
  }

  /** Whether a plugin has changed the object. */
  get isChanged(): boolean {
    return this.#isChanged;
  }

  /** What plugins have to tell the audit log, by qualified key. */
  get annotations(): ReadonlyMap<string, string> {
    return this.#annotations ?? noAnnotations;
  }

  /** What they have to tell it only where it records requests whole: these annotations quote the object. */
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

  /** Tells the audit log something; of two values for a key the first stays, as in v1.29. */
  annotate(key: string, value: string): void {
    this.#annotations ??= new Map();
    keepFirst(this.#annotations, key, value);
    this.#caller.audit?.annotate(key, value);
  }

  /** The same for what quotes the object. */
  annotateRequest(key: string, value: string): void {
    this.#requestAnnotations ??= new Map();
    keepFirst(this.#requestAnnotations, key, value);
    if (this.#caller.audit?.recordsRequest === true) {
      this.#caller.audit.annotate(key, value);
    }
  }

  /** For webhooks: how long one has been waited for. */
  waitedFor(layer: AwaitedLayer, ms: number): void {
    this.#caller.audit?.waitedFor(layer, ms);
  }

  /** Who has changed what; undefined where nobody is to know. */
  get blame(): Blame | undefined {
    return this.#blame;
  }

  /** For the chain: to be called before the first plugin is asked. */
  beginBlame(): void {
    this.#blame ??= new Blame();
  }

  /** For the chain: the last plugin has been asked. */
  endBlame(): void {
    if (this.#blame !== undefined) {
      this.annotate("blame.admission.gatehouse.dev/entries", this.#blame.text());
      this.#caller.tellBlame?.(this.#blame.headerText());
    }
  }

  /** Tells the client something that is not an error. */
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
