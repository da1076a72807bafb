import type { JsonObject } from "@gatehouse/envelopes/json";
import { type GroupResource, groupResourceText, StatusError } from "@gatehouse/envelopes/status";
import { metaOf, removeEmptyLists } from "../objects/object-meta.js";
import type { RegistrySource } from "../registry/live-registry.js";
import { replicasOf, scaleViewOf } from "../registry/scale-of-definition.js";
import type { ServedResource } from "../registry/served-resource.js";
import type { AuditTrail, OwnWrite } from "../request/audit-trail.js";
import type { Caller } from "../request/caller.js";
import { sharedWork } from "../scheduling/shared-work.js";
import type { CacheEntry } from "../storage/cache/cache-entry.js";
import { ApplyDocument } from "../verbs/body/apply-document.js";
import { deleteObject } from "../verbs/deletion/delete.js";
import type { OperationScope } from "../verbs/request-scope.js";
import type { VerbEnvironment } from "../verbs/verb-environment.js";
import { noWriteOptions } from "../verbs/write-options.js";
import { applyObject } from "../verbs/writing/apply.js";
import { createObject } from "../verbs/writing/create.js";
import { updateObject } from "../verbs/writing/update.js";
import { followWhilePresent } from "./follow-while-present.js";
import type {
  ClientDeleteOptions,
  ClientResource,
  ObjectClient,
  ObjectObserver,
  ObservedObject,
  UpdateTarget,
  WantedResource,
} from "./object-client.js";
import { observeCache, observedObjects } from "./observe-cache.js";
import { isNotFound } from "./status-errors.js";

/** The user that controllers of the server are to admission. */
const controllerUser = Object.freeze({ username: "system:apiserver", groups: Object.freeze(["system:masters"]) });

/** The verbs of own writes as metrics name them. */
const metricVerbs: Readonly<Record<OwnWrite["verb"], string>> = {
  create: "POST",
  update: "PUT",
  patch: "APPLY",
  delete: "DELETE",
};

/** The error that `revise` throws through the verb handler when there is nothing to do. */
class NothingToDoError extends Error {}

/**
 * An ObjectClient over the verb handlers of this server. `signal` ends all that is under way; `agent` is the manager of
 * the fields that are written, `controller` the name under which writes are audited. `assertMayWrite` is called before each
 * write, and throws when the controller must not write any more.
 */
export class InProcessObjectClient implements ObjectClient {
  readonly #liveRegistry: RegistrySource;
  readonly #environment: VerbEnvironment;
  readonly #signal: AbortSignal;
  readonly #agent: string;
  readonly #controller: string;
  readonly #assertMayWrite: () => void;

  constructor(
    liveRegistry: RegistrySource,
    environment: VerbEnvironment,
    signal: AbortSignal,
    agent: string,
    controller = "",
    assertMayWrite: () => void = () => {},
  ) {
    this.#liveRegistry = liveRegistry;
    this.#environment = environment;
    this.#signal = signal;
    this.#agent = agent;
    this.#controller = controller;
    this.#assertMayWrite = assertMayWrite;
  }

  resources(): readonly ClientResource[] {
    return [...this.#liveRegistry.current.stored()].map(clientResource);
  }

  followResources(begin: (resource: ClientResource, served: AbortSignal) => void, signal: AbortSignal): void {
    followWhilePresent(
      {
        current: () => new Map([...this.#liveRegistry.current.stored()].map((served) => [served.storage, served])),
        onChange: (listener) => this.#liveRegistry.onChange(listener),
      },
      (served, present) => begin(clientResource(served), present),
      signal,
    );
  }

  find(resource: WantedResource): ClientResource | undefined {
    const served = this.#served(resource);
    return served === undefined ? undefined : clientResource(served);
  }

  findKind(apiVersion: string, kind: string): ClientResource | undefined {
    const served = this.#liveRegistry.current.findKind(apiVersion, kind);
    return served?.isStored === true ? clientResource(served) : undefined;
  }

  findPreferred({ group, resource }: GroupResource): ClientResource | undefined {
    const served = this.#liveRegistry.current.findPreferred(group, resource);
    return served?.isStored === true ? clientResource(served) : undefined;
  }

  async get(resource: WantedResource, namespace: string, name: string): Promise<JsonObject | undefined> {
    const served = this.#require(resource);
    this.#environment.metrics.selfRequest("GET", resource.resource, "");
    const entry = await served.storage.read(served.storage.keyOf(namespace, name));
    await served.form.prepare(entry === undefined ? [] : [entry]);
    return entry === undefined ? undefined : served.form.decode(entry);
  }

  cached(resource: WantedResource, namespace: string, name: string): CacheEntry | undefined {
    const { storage } = this.#require(resource);
    return storage.cache.get(storage.keyOf(namespace, name));
  }

  async list(resource: WantedResource, namespace: string): Promise<readonly ObservedObject[]> {
    const { storage } = this.#require(resource);
    this.#environment.metrics.selfRequest("LIST", resource.resource, "");
    await storage.catchUp({ signal: this.#signal });
    return [...observedObjects(storage, storage.cache.snapshot().entries(storage.prefixOf(namespace)))];
  }

  async count(resource: WantedResource, namespace: string): Promise<number> {
    const { storage } = this.#require(resource);
    await storage.catchUp({ signal: this.#signal });
    return storage.cache.snapshot().count(storage.prefixOf(namespace));
  }

  async create(resource: WantedResource, object: JsonObject): Promise<JsonObject> {
    const served = this.#require(resource);
    const { namespace, name } = namesOf(object);
    const target = { namespace, name };
    return this.#recorded("create", served, target, async (scope, begin) => {
      await begin(object);
      const entry = await createObject(scope, { object, options: noWriteOptions });
      await served.form.prepare(entry === undefined ? [] : [entry]);
      const stored = entry === undefined ? object : served.form.decode(entry);
      return { code: 201, answer: stored, result: stored };
    });
  }

  async update(
    resource: WantedResource,
    target: UpdateTarget,
    revise: (object: JsonObject) => JsonObject | undefined,
  ): Promise<void> {
    const { subresource = "" } = target;
    const served = this.#require(resource);
    try {
      await this.#recorded("update", served, target, async (scope, begin) => {
        const { code, object } = await updateObject(scope, {
          subresource,
          options: noWriteOptions,
          createWhenMissing: false,
          revise: async (old) => {
            const revised = revise(structuredClone(old ?? {}));
            if (revised === undefined) {
              throw new NothingToDoError();
            }
            removeEmptyLists(revised);
            await begin(revised);
            return revised;
          },
        });
        return { code, answer: object, result: undefined };
      });
    } catch (error) {
      if (!(error instanceof NothingToDoError)) {
        throw error;
      }
    }
  }

  async apply(
    resource: WantedResource,
    target: UpdateTarget,
    partial: JsonObject,
    fieldManager: string,
  ): Promise<void> {
    const served = this.#require(resource);
    const { apiVersion, kind } = served;
    const document = new ApplyDocument({ apiVersion, kind, ...partial }, []);
    await this.#recorded("patch", served, target, async (scope, begin) => {
      await begin(document.config);
      const { code, object } = await applyObject(scope, document, { ...noWriteOptions, fieldManager, force: true });
      return { code, answer: object, result: undefined };
    });
  }

  async delete(
    resource: WantedResource,
    namespace: string,
    name: string,
    options: ClientDeleteOptions = {},
  ): Promise<void> {
    const served = this.#require(resource);
    try {
      await this.#recorded("delete", served, { namespace, name }, async (scope, begin) => {
        await begin(undefined);
        await deleteObject(scope, {
          namespace,
          name,
          options: {
            gracePeriodSeconds: options.gracePeriodSeconds,
            preconditions: options.preconditions,
            orphanDependents: undefined,
            propagationPolicy: options.propagationPolicy,
            dryRun: false,
          },
        });
        return { code: 200, answer: undefined, result: undefined };
      });
    } catch (error) {
      if (!isNotFound(error)) {
        throw error;
      }
    }
  }

  observe(resource: WantedResource, observer: ObjectObserver, signal: AbortSignal): Promise<void> {
    this.#environment.metrics.selfRequest("LIST", resource.resource, "");
    this.#environment.metrics.selfRequest("WATCH", resource.resource, "");
    return observeCache(this.#require(resource).storage, observer, signal);
  }

  async catchUp(): Promise<void> {
    // One feed keeps all caches, so that any of them knows.
    for (const served of this.#liveRegistry.current.stored()) {
      await served.storage.catchUp({ signal: this.#signal });
      return;
    }
  }

  /** Does a write and records it in the audit log, also when it fails. */
  async #recorded<T>(
    verb: OwnWrite["verb"],
    served: ServedResource,
    { namespace, name, subresource = "" }: UpdateTarget,
    write: (
      scope: OperationScope,
      begin: (object: JsonObject | undefined) => Promise<void> | undefined,
    ) => Promise<{ readonly code: number; readonly answer: JsonObject | undefined; readonly result: T }>,
  ): Promise<T> {
    const { group, version, resource } = served;
    const audit = this.#environment.recordOwnWrite?.({
      controller: this.#controller,
      agent: this.#agent,
      verb,
      group,
      version,
      resource,
      subresource,
      namespace: resource === "namespaces" ? "" : namespace,
      name: verb === "create" ? "" : name,
    });
    const caller = this.#caller({ namespace, name, subresource }, audit);
    const scope = { environment: this.#environment, caller, served };
    this.#environment.metrics.selfRequest(metricVerbs[verb], resource, subresource);
    try {
      const { code, answer, result } = await write(scope, (object) => {
        this.#assertMayWrite();
        return audit?.begin(object);
      });
      await audit?.end(code, answer);
      return result;
    } catch (error) {
      if (error instanceof StatusError) {
        audit?.responseStatus(error.status);
      }
      await audit?.end(
        error instanceof StatusError ? error.code : error instanceof NothingToDoError ? 200 : 500,
        undefined,
      );
      throw error;
    }
  }

  #caller(info: Caller["info"], audit: AuditTrail | undefined): Caller {
    return {
      user: controllerUser,
      audit,
      agent: this.#agent,
      info,
      signal: this.#signal,
      warn() {},
      yield: () => sharedWork.yield(),
      yieldIfLarge: () => undefined,
    };
  }

  #require(resource: WantedResource): ServedResource {
    const served = this.#served(resource);
    if (served === undefined) {
      throw new Error(`${groupResourceText(resource)} are not served`);
    }
    return served;
  }

  #served({ group, version, resource }: WantedResource): ServedResource | undefined {
    const { current } = this.#liveRegistry;
    const wanted = version === undefined ? undefined : current.find(group, version, resource);
    const served = wanted ?? current.findAnyVersion(group, resource);
    return served?.isStored === true ? served : undefined;
  }
}

function clientResource(served: ServedResource): ClientResource {
  const { group, version, apiVersion, resource, kind, namespaced, definition } = served;
  const hasScale = definition.subresources.some(({ name }) => name === "scale");
  return {
    ...{ group, version, apiVersion, resource, kind, namespaced },
    verbs: definition.verbs,
    ...(hasScale ? { replicasOf: (object) => replicasOf(scaleViewOf(definition), object) } : {}),
  };
}

function namesOf(object: JsonObject): { readonly namespace: string; readonly name: string } {
  const { namespace = "", name = "" } = metaOf(object);
  return { namespace, name };
}
