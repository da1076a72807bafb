import { forbidden, type JsonObject, notFound, StatusError } from "@gatehouse/envelopes";
import type { CatalogueSource } from "../catalogue/live-catalogue.js";
import type { ServedResource } from "../catalogue/served-resource.js";
import { textAt } from "../objects/json-fields.js";
import { metaOf } from "../objects/object-meta.js";
import type { CacheEntry } from "../storage/cache/cache-entry.js";
import type { AdmissionAttributes, AdmissionPlugin } from "./admission-chain.js";

/** Namespaces that a cluster cannot do without. */
const immortalNamespaces: ReadonlySet<string> = new Set(["default", "kube-system", "kube-public"]);

/** How long after the deletion of a namespace the cache is not trusted to know of it (as in v1.29). */
const distrustMs = 30_000;

const terminatingMark = Buffer.from('"phase":"Terminating"');

/**
 * NamespaceLifecycle: objects are written only into namespaces that exist and created only in those that are not being
 * deleted; a few namespaces cannot be deleted at all. `now` is in milliseconds since the epoch.
 */
export function namespaceLifecycle(
  catalogues: Pick<CatalogueSource, "current">,
  now: () => number = Date.now,
): AdmissionPlugin {
  const deletedLately = new RecentNames(now);
  return {
    name: "NamespaceLifecycle",
    admit(attributes) {
      const { operation, served } = attributes;
      const namespaces = catalogues.current.find("", "v1", "namespaces");
      if (namespaces === undefined || operation === "CONNECT") {
        return;
      }
      if (served.group === "" && served.resource === "namespaces") {
        if (operation === "DELETE") {
          const name = deletedName(attributes);
          refuseImmortal(served, name);
          deletedLately.add(name);
        }
        return;
      }
      if (!served.namespaced || operation === "DELETE" || isAccessReview(served)) {
        return;
      }
      const entry = entryOf(namespaces, attributes.caller.info.namespace);
      if (entry === undefined) {
        return admitAfterFreshRead(namespaces, attributes);
      }
      if (operation === "UPDATE" || isTerminating(entry)) {
        return refuseIfTerminating(attributes, entry);
      }
      return deletedLately.has(attributes.caller.info.namespace)
        ? admitAfterFreshRead(namespaces, attributes)
        : undefined;
    },
  };
}

function deletedName(attributes: AdmissionAttributes): string {
  const { oldObject, caller } = attributes;
  return (oldObject === undefined ? undefined : metaOf(oldObject).name) ?? caller.info.name;
}

function refuseImmortal(served: ServedResource, name: string): void {
  if (immortalNamespaces.has(name)) {
    throw forbidden(served, name, "this namespace may not be deleted");
  }
}

/** What a review says of a namespace must not depend on whether it exists: that would tell. */
function isAccessReview(served: ServedResource): boolean {
  return served.group === "authorization.k8s.io" && served.resource === "localsubjectaccessreviews";
}

function entryOf(namespaces: ServedResource, name: string): CacheEntry | undefined {
  return namespaces.storage.cache.get(namespaces.storage.keyOf("", name));
}

/** The cache may be behind: before an answer that depends on it, it is brought up to what is committed now. */
async function admitAfterFreshRead(namespaces: ServedResource, attributes: AdmissionAttributes): Promise<void> {
  const { namespace } = attributes.caller.info;
  await namespaces.storage.catchUp(attributes.caller);
  const entry = entryOf(namespaces, namespace);
  if (entry === undefined) {
    throw notFound(namespaces, namespace);
  }
  refuseIfTerminating(attributes, entry);
}

function refuseIfTerminating(attributes: AdmissionAttributes, entry: CacheEntry): void {
  if (attributes.operation !== "CREATE" || !isTerminating(entry)) {
    return;
  }
  const { served, caller } = attributes;
  const { namespace } = caller.info;
  const { status } = forbidden(
    served,
    nameFor(attributes),
    `unable to create new content in namespace ${namespace} because it is being terminated`,
  );
  const cause = {
    reason: "NamespaceTerminating",
    message: `namespace ${namespace} is being terminated`,
    field: "metadata.namespace",
  };
  throw new StatusError(403, "Forbidden", status.message ?? "", { ...status.details, causes: [cause] });
}

/** Most namespaces never have these bytes in them; those that do may have them in an annotation. */
function isTerminating(entry: CacheEntry): boolean {
  return entry.bytes.includes(terminatingMark) && textAt(entry.object(), "status", "phase") === "Terminating";
}

/** The name that the error shows: generated names do not exist yet. */
function nameFor(attributes: AdmissionAttributes): string {
  const object: JsonObject | undefined = attributes.object;
  const meta = object === undefined ? {} : metaOf(object);
  return attributes.caller.info.name || meta.name || meta.generateName || "Unknown";
}

/** Names that are forgotten after a while; the oldest are dropped as new ones come, so there are never many. */
class RecentNames {
  readonly #now: () => number;
  readonly #expiry = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  add(name: string): void {
    const now = this.#now();
    for (const [other, expiresAt] of this.#expiry) {
      if (expiresAt > now) {
        break;
      }
      this.#expiry.delete(other);
    }
    this.#expiry.delete(name);
    this.#expiry.set(name, now + distrustMs);
  }

  has(name: string): boolean {
    if (this.#expiry.size === 0) {
      return false;
    }
    const expiresAt = this.#expiry.get(name);
    return expiresAt !== undefined && expiresAt > this.#now();
  }
}
