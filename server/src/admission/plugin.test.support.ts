import type { ConfigDocument } from "@gatehouse/component-base";
import { createMetricsRegistry } from "@gatehouse/component-base";
import { alreadyExists, type GroupResource, type JsonObject, notFound } from "@gatehouse/envelopes";
import { metaOf } from "../objects/object-meta.js";
import { PendingCharges } from "../quota/pending-charges.js";
import type { UserInfo } from "../request/user-info.js";
import { AdmissionAttributes, type Operation } from "./attributes.js";
import type { KnownResource, ObjectAccess } from "./object-access.js";
import type { ObjectForms } from "./object-forms.js";
import type { PluginParts } from "./plugin-parts.js";

/** A write for a plugin to be asked about: a CREATE of a ConfigMap in the namespace `n` unless it says otherwise. */
export interface TestWrite {
  readonly operation?: Operation;
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly object?: JsonObject;
  readonly oldObject?: JsonObject;
  readonly user?: UserInfo;
  readonly dryRun?: boolean;
  readonly options?: JsonObject;
  /** Called with the record of changes (`--admission-blame`). */
  readonly tellBlame?: (text: string) => void;
  /** The list that warnings are added to. */
  readonly warnings?: string[];
}

export function testAttributes(write: TestWrite): AdmissionAttributes {
  const { operation = "CREATE", group = "", version = "v1", kind = "ConfigMap", resource = "configmaps" } = write;
  const { namespace = "n", name = "", subresource = "", object, oldObject, options = {}, dryRun = false } = write;
  return new AdmissionAttributes({
    operation,
    caller: {
      user: write.user ?? { username: "u", groups: [] },
      agent: "",
      info: { namespace, name, subresource },
      signal: new AbortController().signal,
      warn: (message) => write.warnings?.push(message),
      breathe: () => undefined,
      tellBlame: write.tellBlame,
    },
    kind: { group, version, kind },
    resource: { group, version, resource },
    subresource,
    object,
    oldObject,
    options,
    dryRun,
  });
}

/** The parts of a plugin in a test: objects by resource (`apps/deployments`, `pods`), denials, the configuration. */
export interface TestParts extends Partial<Omit<PluginParts, "objects" | "configuration">> {
  readonly objects?: Readonly<Record<string, readonly JsonObject[]>>;
  readonly configuration?: JsonObject;
}

export function testParts({ objects = {}, configuration, ...parts }: TestParts = {}): PluginParts {
  const document: ConfigDocument | undefined =
    configuration === undefined ? undefined : { subject: "test.yaml", folder: "/", content: configuration };
  return {
    objects: objectsInMemory(objects),
    forms: singleForms,
    serviceAddresses: () => Promise.reject(new Error("no services here")),
    failedOpen: () => {},
    mayDo: () => ({ isAllowed: true, reason: "" }),
    pendingCharges: new PendingCharges(Date.now),
    features: { enabled: () => false },
    settings: {
      notReadyTolerationSeconds: 300,
      unreachableTolerationSeconds: 300,
      webhookDeadlineBudget: false,
      webhookBreaker: false,
    },
    configuration: document,
    now: Date.now,
    metrics: createMetricsRegistry({ processMetrics: false }),
    signal: new AbortController().signal,
    reportFault: (error) => {
      throw error;
    },
    ...parts,
  };
}

/** Objects that have no form but their own, and no defaults. */
const singleForms: ObjectForms = {
  served: {},
  equivalents: () => [],
  convert: (object) => object,
  written: (object) => object,
  read: (document) => document as JsonObject,
  fillDefaults: () => 0,
};

/** Returns an access to objects that are held in memory and seen at once. */
export function objectsInMemory(initial: Readonly<Record<string, readonly JsonObject[]>>): ObjectAccess {
  const all = new Map(Object.entries(initial).map(([resource, objects]) => [resource, [...objects]]));
  const of = ({ group, resource }: GroupResource): JsonObject[] => {
    const key = group === "" ? resource : `${group}/${resource}`;
    const objects = all.get(key) ?? [];
    all.set(key, objects);
    return objects;
  };
  const isAt = (namespace: string, name: string) => (object: JsonObject) =>
    metaOf(object).name === name && (metaOf(object).namespace ?? "") === namespace;
  return {
    view: (resource, compile) => ({
      get(namespace, name) {
        const found = of(resource).find(isAt(namespace, name));
        return found === undefined ? undefined : compile(structuredClone(found));
      },
      list: (namespace) =>
        of(resource)
          .filter((object) => namespace === "" || metaOf(object).namespace === namespace)
          .map((object) => compile(structuredClone(object))),
      each: (namespace) =>
        of(resource)
          .filter((object) => namespace === "" || metaOf(object).namespace === namespace)
          .map((object) => () => compile(structuredClone(object))),
      catchUp: async () => {},
    }),
    findKind: (apiVersion, kind) => (apiVersion === "v1" ? coreKinds[kind] : undefined),
    async create(resource, object) {
      const { namespace = "", name = "" } = metaOf(object);
      if (of(resource).some(isAt(namespace, name))) {
        throw alreadyExists(resource, name);
      }
      of(resource).push(structuredClone(object));
      return object;
    },
    async update(resource, { namespace, name }, revise) {
      const objects = of(resource);
      const index = objects.findIndex(isAt(namespace, name));
      if (index < 0) {
        throw notFound(resource, name);
      }
      const revised = revise(structuredClone(objects[index] as JsonObject));
      if (revised !== undefined) {
        objects[index] = revised;
      }
    },
  };
}

/** Some kinds of `v1`. */
const coreKinds: Readonly<Record<string, KnownResource>> = {
  Node: { group: "", version: "v1", resource: "nodes", namespaced: false },
  Pod: { group: "", version: "v1", resource: "pods", namespaced: true },
};
