import { type ControllerOptions, isNotFound, metadataOf } from "@gatehouse/apiserver/client";
import { metaOf, type ObjectMeta } from "@gatehouse/apiserver/objects";
import type { CacheEntry } from "@gatehouse/apiserver/storage";
import type { JsonObject } from "@gatehouse/envelopes/json";
import type { GroupResource } from "@gatehouse/envelopes/status";

/** The options of the controllers that protect storage objects. */
export interface ProtectionOptions extends ControllerOptions {
  /** True if admission protects new objects: then those that existed before are protected, too. */
  readonly protects: boolean;
}

/** Objects of one resource that are not deleted for good while they are used, by a finalizer. */
export interface Protection {
  readonly resource: GroupResource;
  readonly finalizer: string;
  /** Reports whether an object that is being deleted is used. */
  readonly isUsed: (object: JsonObject) => boolean | Promise<boolean>;
}

/** Reports, from its metadata alone, whether an object may need work: every change is looked at. */
export function needsProtectionWork({ protects }: ProtectionOptions, finalizer: string, entry: CacheEntry): boolean {
  const meta = metadataOf(entry);
  return isReleasable(meta, finalizer) || (protects && lacks(meta, finalizer));
}

/** Takes the finalizer off what is being deleted and is not used, and gives it to what lacks it. */
export async function protect(
  { client, protects }: ProtectionOptions,
  { resource, finalizer, isUsed }: Protection,
  namespace: string,
  name: string,
): Promise<void> {
  const object = await client.get(resource, namespace, name);
  if (object === undefined) {
    return;
  }
  const { uid } = metaOf(object);
  const isReleased = isReleasable(metaOf(object), finalizer) && !(await isUsed(object));
  if (!isReleased && !(protects && lacks(metaOf(object), finalizer))) {
    return;
  }
  try {
    await client.update(resource, { namespace, name }, (current) => {
      const meta = metaOf(current);
      if (meta.uid !== uid || !(isReleased ? isReleasable(meta, finalizer) : lacks(meta, finalizer))) {
        return undefined;
      }
      const others = (meta.finalizers ?? []).filter((other) => other !== finalizer);
      meta.finalizers = isReleased ? others : [...others, finalizer];
      return current;
    });
  } catch (error) {
    if (!isNotFound(error)) {
      throw error;
    }
  }
}

function isReleasable({ deletionTimestamp, finalizers = [] }: ObjectMeta, finalizer: string): boolean {
  return deletionTimestamp !== undefined && finalizers.includes(finalizer);
}

function lacks({ deletionTimestamp, finalizers = [] }: ObjectMeta, finalizer: string): boolean {
  return deletionTimestamp === undefined && !finalizers.includes(finalizer);
}
