import { HttpClientError } from "@gatehouse/component-base/errors";
import { pause } from "@gatehouse/component-base/time";
import { type JsonObject, textAt } from "@gatehouse/envelopes/json";
import { StatusError } from "@gatehouse/envelopes/status";
import {
  StoreRefusedError,
  StoreTimeoutError,
  StoreUnavailableError,
  StoreUnusableError,
  StoreValueTooLargeError,
} from "../../errors/errors.js";
import type { FrontClient, FrontEvent } from "../front-client.js";
import { apiVersionOf, type Backing, pathOf } from "./backing.js";
import type { Fields } from "./fields.js";

/** The label of all objects of a store; its value is the name of the store. */
const storeLabel = "storage.gatehouse.dev/store";

/** The pauses in milliseconds before a request is sent again: eight tries within two seconds. */
const firstDelayMs = 5;
const longestDelayMs = 320;

/** The content of an object to write. */
export interface ObjectContent extends Fields {
  readonly annotations: Readonly<Record<string, string>>;
}

/** One version of an object that exists. */
export interface ObjectVersion {
  readonly uid: string;
  readonly resourceVersion: string;
}

/**
 * The objects that hold a store, in a namespace of the API server in front. Its methods reject with errors of stores, which
 * have the text of that server.
 */
export class BackingObjects {
  readonly #client: FrontClient;
  readonly #backing: Backing;
  readonly #path: string;
  readonly #store: string;
  readonly #signal: AbortSignal;

  constructor(
    client: FrontClient,
    options: {
      readonly backing: Backing;
      readonly namespace: string;
      readonly store: string;
      readonly signal: AbortSignal;
    },
  ) {
    this.#client = client;
    this.#backing = options.backing;
    this.#path = pathOf(options.backing, options.namespace);
    this.#store = options.store;
    this.#signal = options.signal;
  }

  /** The kind of the objects, for messages. */
  get kind(): string {
    return this.#backing.kind;
  }

  /** Reads an object as it is now; undefined when there is none. */
  get(name: string): Promise<JsonObject | undefined> {
    return this.#repeated([404], () => this.#client.get(this.#pathOf(name), this.#signal));
  }

  /** Reads the metadata of an object as it is now; undefined when there is none. */
  getMetadata(name: string): Promise<JsonObject | undefined> {
    return this.#repeated([404], () => this.#client.getMetadata(this.#pathOf(name), this.#signal));
  }

  /** Reads the metadata of an object within a time in milliseconds, and tries once. */
  async tryMetadata(name: string, timeoutMs: number): Promise<JsonObject | undefined> {
    return unlessCode([404], this.#client.getMetadata(this.#pathOf(name), this.#signal, timeoutMs));
  }

  /** Creates an object; undefined when one of its name exists, which may be that of this call. */
  create(name: string, content: ObjectContent): Promise<JsonObject | undefined> {
    const object = this.#object(name, content);
    return this.#repeated([409], () => this.#client.write("POST", this.#path, object, this.#signal));
  }

  /** Replaces one version of an object; undefined when it is no longer the newest, which this call may have caused. */
  update(name: string, of: ObjectVersion, content: ObjectContent): Promise<JsonObject | undefined> {
    const object = this.#object(name, content, of);
    return this.#repeated([404, 409], () => this.#client.write("PUT", this.#pathOf(name), object, this.#signal));
  }

  /** Deletes an object if it is the one with the UID. */
  async delete(name: string, uid: string): Promise<void> {
    const options = { apiVersion: "v1", kind: "DeleteOptions", preconditions: { uid } };
    await this.#repeated([404, 409], () => this.#client.write("DELETE", this.#pathOf(name), options, this.#signal));
  }

  /**
   * Lists all objects of the store at one resource version, to which it resolves. Rejects with StoreUnusableError when the
   * API server in front does not have the resource.
   */
  async list(onItem: (object: JsonObject) => void): Promise<string> {
    const selector = `labelSelector=${encodeURIComponent(`${storeLabel}=${this.#store}`)}`;
    try {
      return await this.#client.list(this.#path, selector, onItem, this.#signal);
    } catch (error) {
      const { definition } = this.#backing;
      // Lists of namespaces that do not exist are empty.
      throw definition !== undefined && error instanceof StatusError && error.code === 404
        ? new StoreUnusableError(
            `the API server in front does not serve the CustomResourceDefinition ${definition}, which \`gatehouse-extension build\` writes: create it, or wait until it is established`,
            { cause: error },
          )
        : storeErrorOf(error);
    }
  }

  /** Watches one object. Rejects as the client in front does. */
  watch(name: string, from: string, onEvent: (event: FrontEvent) => void): Promise<void> {
    const selector = `fieldSelector=${encodeURIComponent(`metadata.name=${name}`)}`;
    return this.#client.watch(this.#path, selector, from, onEvent, this.#signal);
  }

  /**
   * Sends a request, and again when its connection breaks: one that has arrived then changes nothing the second time.
   * Resolves to undefined for an answer with one of the codes. Rejects with the failure that leaves most open: a refusal says
   * nothing of the tries before it.
   */
  async #repeated(codes: readonly number[], send: () => Promise<JsonObject>): Promise<JsonObject | undefined> {
    let lost: unknown;
    for (let delayMs = firstDelayMs; ; delayMs *= 2) {
      try {
        return await unlessCode(codes, send());
      } catch (error) {
        if (!isLostConnection(error) || delayMs > longestDelayMs || this.#signal.aborted) {
          throw lost ?? error;
        }
        lost = error;
      }
      await pause(delayMs * (1 + Math.random()), this.#signal);
    }
  }

  #pathOf(name: string): string {
    return `${this.#path}/${encodeURIComponent(name)}`;
  }

  #object(name: string, { annotations, data, binaryData }: ObjectContent, of?: ObjectVersion): JsonObject {
    return {
      apiVersion: apiVersionOf(this.#backing),
      kind: this.#backing.kind,
      metadata: { name, labels: { [storeLabel]: this.#store }, annotations, ...of },
      data: { ...data },
      binaryData: { ...binaryData },
    };
  }
}

/** Returns the version of an object that the API server in front has answered. */
export function versionOf(object: JsonObject): ObjectVersion {
  return {
    uid: textAt(object, "metadata", "uid"),
    resourceVersion: textAt(object, "metadata", "resourceVersion"),
  };
}

async function unlessCode(codes: readonly number[], answer: Promise<JsonObject>): Promise<JsonObject | undefined> {
  try {
    return await answer;
  } catch (error) {
    // A namespace that does not exist is 404 as well, and no object can be created in it.
    if (error instanceof StatusError && codes.includes(error.code)) {
      return undefined;
    }
    throw storeErrorOf(error);
  }
}

/** Returns the error of the store for a failed request to the API server in front; other errors as they are. */
export function storeErrorOf(error: unknown): unknown {
  if (error instanceof HttpClientError) {
    return error.failure === "timeout"
      ? new StoreTimeoutError({ cause: error })
      : new StoreUnavailableError(`the API server in front cannot be reached: ${error.message}`, { cause: error });
  }
  if (!(error instanceof StatusError)) {
    return error;
  }
  const text = `the API server in front has refused it: ${error.message}`;
  if (error.code === 413) {
    return new StoreValueTooLargeError(text, { cause: error });
  }
  if (error.code === 504) {
    return new StoreTimeoutError({ cause: error });
  }
  return error.code === 429 || error.code >= 500
    ? new StoreUnavailableError(text, { cause: error })
    : new StoreRefusedError(text, { cause: error });
}

function isLostConnection(error: unknown): boolean {
  const cause = error instanceof StoreUnavailableError ? error.cause : undefined;
  return cause instanceof HttpClientError && cause.failure === "connection";
}

/** Reports whether it is certain that a write that has failed so has not happened, and will not. */
export function isRefusal(error: unknown): boolean {
  return (
    error instanceof StoreRefusedError ||
    (error instanceof Error && error.cause instanceof StatusError && error.cause.code === 429)
  );
}
