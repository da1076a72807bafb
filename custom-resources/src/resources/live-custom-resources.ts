import { setMaxListeners } from "node:events";
import { type ObjectObserver, observeCache } from "@gatehouse/apiserver/client";
import { isConditionTrue, metaOf } from "@gatehouse/apiserver/objects";
import {
  GroupTable,
  type LiveRegistry,
  type ResourceRegistry,
  type ResourceStorages,
  ServedResource,
  type StorageLocation,
} from "@gatehouse/apiserver/registry";
import type { CacheEntry } from "@gatehouse/apiserver/storage";
import { type JsonObject, objectAt } from "@gatehouse/envelopes/json";
import { TimeSlice } from "@gatehouse/envelopes/scheduling";
import type { WebhookClients } from "../conversion/webhook-clients.js";
import { customResourceDefinitions, storedVersionDefinition } from "./define-custom-resource.js";
import { definitionOutline } from "./definition-outline.js";
import { definitionSummary } from "./definition-summary.js";
import type { OnDocumentChange } from "./document-metrics.js";

/** The parts that custom resources are served with. */
export interface LiveCustomResourcesOptions {
  /** Serves the built-in resources when this begins. */
  readonly liveRegistry: LiveRegistry;
  readonly storages: ResourceStorages;
  /** Connections to conversion webhooks. Without them, objects of definitions that need one cannot be converted. */
  readonly webhooks?: WebhookClients;
  /** Counts what makes OpenAPI documents out of date; nobody counts when absent. */
  readonly onDocumentChange?: OnDocumentChange;
  /** Called with the error when a definition cannot be served. */
  readonly onError: (error: unknown) => void;
}

/**
 * The form in which the objects of a definition are shown: unchanged while the definition is only marked for deletion.
 */
interface ServedForm {
  /** Changes with the spec and the accepted names. */
  readonly mark: string;
  /** Aborted when another form is served: a watch that began in this one cannot go on in the next. */
  readonly superseded: AbortController;
}

/** A definition as it is served. */
interface ServedDefinition {
  readonly group: string;
  readonly uid: string;
  readonly isTerminating: boolean;
  readonly form: ServedForm;
  readonly location: StorageLocation;
  readonly resources: readonly ServedResource[];
  /** The resource of the stored objects, when no version is served. */
  readonly hidden: readonly ServedResource[];
  /** The newest state, from which schemas are compiled. */
  readonly source: { entry: CacheEntry };
}

/**
 * Serves what established CustomResourceDefinitions define: follows them and swaps the registry. What is served of a
 * definition that is gone ends with it: its watches, its cache. When it changes, its watches end, too. Of a definition nothing
 * is kept but names and, once they have been needed, compiled schemas.
 */
export class LiveCustomResources {
  readonly #options: LiveCustomResourcesOptions;
  readonly #builtin: ResourceRegistry;
  /** Served definitions by name. */
  readonly #served = new Map<string, ServedDefinition>();
  readonly #namesByGroup = new Map<string, Set<string>>();
  /** Changes that are not served yet, by name: the newest state, undefined for a definition that is gone. */
  readonly #pending = new Map<string, CacheEntry | undefined>();
  #isScheduled = false;

  constructor(options: LiveCustomResourcesOptions) {
    this.#options = options;
    this.#builtin = options.liveRegistry.current;
  }

  /** Follows the definitions until the signal aborts. Resolves when everything that is there is served. */
  async follow(signal: AbortSignal): Promise<void> {
    const definitions = this.#builtin.findAnyVersion("apiextensions.k8s.io", "customresourcedefinitions");
    if (definitions === undefined) {
      return; // Switched off by --runtime-config.
    }
    let listed = new Set<string>();
    const observer: ObjectObserver = {
      onList: (objects) => {
        for (const { name, entry } of objects) {
          listed.add(name);
          this.#note(name, entry);
        }
      },
      onEvent: ({ type, name, entry }) => this.#note(name, type === "DELETED" ? undefined : entry),
      onMissed: () => {
        for (const name of this.#served.keys()) {
          if (!listed.has(name)) {
            this.#note(name, undefined);
          }
        }
        listed = new Set();
      },
      onError: this.#options.onError,
    };
    await observeCache(definitions.storage, observer, signal);
    listed = new Set();
    this.#takeIn("all"); // Nobody is served before.
  }

  #note(name: string, entry: CacheEntry | undefined): void {
    this.#pending.delete(name); // Last come, last served.
    this.#pending.set(name, entry);
    if (!this.#isScheduled) {
      this.#isScheduled = true;
      setImmediate(() => this.#takeIn("slice"));
    }
  }

  /** Serves all of what has changed, or as much as one time slice allows and the rest in the next ones. */
  #takeIn(extent: "slice" | "all"): void {
    const changed = new Set<string>();
    const afterwards: (() => void)[] = [];
    const slice = new TimeSlice();
    for (const [name, entry] of this.#pending) {
      this.#pending.delete(name);
      try {
        this.#change(name, entry, changed, afterwards);
      } catch (error) {
        this.#options.onError(error);
      }
      if (extent === "slice" && slice.isOver) {
        break;
      }
    }
    this.#isScheduled = this.#pending.size > 0;
    if (this.#isScheduled) {
      setImmediate(() => this.#takeIn("slice"));
    }
    if (changed.size > 0) {
      this.#swap(changed);
    }
    // Later requests no longer find the resources that end here.
    for (const end of afterwards) {
      end();
    }
  }

  #change(name: string, entry: CacheEntry | undefined, changed: Set<string>, afterwards: (() => void)[]): void {
    const known = this.#served.get(name);
    const definition = entry && definitionOutline(entry);
    if (entry !== undefined) {
      definitionSummary(entry, definition); // Its controllers need not look at it once more.
    }
    const stop = (): void => {
      if (known !== undefined) {
        this.#forget(name, known);
        this.#options.onDocumentChange?.(name, "remove", known.resources);
        changed.add(known.group);
        afterwards.push(() => this.#options.storages.close(known.location));
      }
    };
    if (entry === undefined || definition === undefined || !isConditionTrue(definition, "Established")) {
      stop();
      return;
    }
    const uid = metaOf(definition).uid ?? "";
    const isTerminating = isConditionTrue(definition, "Terminating");
    const form = formOf(definition, known?.uid === uid ? known.form : undefined);
    if (known?.form === form && known.isTerminating === isTerminating) {
      known.source.entry = entry;
      return;
    }
    if (known !== undefined && known.uid !== uid) {
      // Another definition of the same name: nothing of the first one may be seen through it.
      this.#options.storages.close(known.location);
    }
    if (known !== undefined && known.form !== form) {
      afterwards.push(() => known.form.superseded.abort());
    }
    const next = this.#define(definition, { entry }, form);
    if (next === undefined) {
      stop();
    } else {
      this.#served.set(name, next);
      this.#options.onDocumentChange?.(name, known === undefined ? "add" : "update", next.resources);
      namesIn(this.#namesByGroup, next.group).add(name);
      changed.add(next.group);
    }
  }

  #define(definition: JsonObject, source: { entry: CacheEntry }, form: ServedForm): ServedDefinition | undefined {
    const { webhooks } = this.#options;
    const read = (): JsonObject => source.entry.object();
    const served = customResourceDefinitions(definition, read, webhooks);
    const [first] = served;
    const stored = first ?? storedVersionDefinition(definition, read, webhooks);
    if (stored?.storage === undefined || this.#builtin.findAnyVersion(stored.group, stored.resource) !== undefined) {
      return undefined; // The store has something else in that place.
    }
    const storage = this.#options.storages.open(stored, stored.storage);
    const { signal: superseded } = form.superseded;
    const resources = served.map((one) => new ServedResource(one, storage, { superseded }));
    const hidden = resources.length > 0 ? [] : [new ServedResource(stored, storage)];
    const uid = metaOf(definition).uid ?? "";
    const isTerminating = isConditionTrue(definition, "Terminating");
    return { group: stored.group, uid, isTerminating, form, location: stored.storage, resources, hidden, source };
  }

  #forget(name: string, { group }: ServedDefinition): void {
    this.#served.delete(name);
    const names = this.#namesByGroup.get(group);
    names?.delete(name);
    if (names?.size === 0) {
      this.#namesByGroup.delete(group);
    }
  }

  #swap(groups: ReadonlySet<string>): void {
    const { liveRegistry } = this.#options;
    const changes = new Map([...groups].map((group) => [group, this.#tableOf(group)] as const));
    liveRegistry.replace(liveRegistry.current.withGroups(changes));
  }

  /** Returns the table of a group. Its built-in versions stay what they are. */
  #tableOf(group: string): GroupTable | undefined {
    const builtin = this.#builtin.group(group);
    const taken = new Set(builtin?.versions());
    const names = [...(this.#namesByGroup.get(group) ?? [])].sort();
    const custom = names.flatMap((name) => this.#served.get(name)?.resources ?? []);
    const hidden = names.flatMap((name) => this.#served.get(name)?.hidden ?? []);
    const resources = [...(builtin?.resources ?? []), ...custom.filter(({ version }) => !taken.has(version))];
    return resources.length + hidden.length > 0 ? new GroupTable(resources, hidden) : undefined;
  }
}

/** Returns the form in which a definition has its objects shown: the known one, if no part of it has changed. */
function formOf(definition: JsonObject, known: ServedForm | undefined): ServedForm {
  const { generation } = metaOf(definition);
  const mark = `${generation} ${JSON.stringify(objectAt(definition, "status", "acceptedNames"))}`;
  if (known?.mark === mark) {
    return known;
  }
  const superseded = new AbortController();
  setMaxListeners(0, superseded.signal); // Every watch listens.
  return { mark, superseded };
}

function namesIn(groups: Map<string, Set<string>>, group: string): Set<string> {
  let names = groups.get(group);
  if (names === undefined) {
    names = new Set();
    groups.set(group, names);
  }
  return names;
}
