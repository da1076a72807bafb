import type { Cluster } from "@gatehouse/component-base/cluster";
import { isJsonObject, type JsonObject } from "@gatehouse/envelopes/json";
import { StatusError } from "@gatehouse/envelopes/status";

const configurationVersion = "admissionregistration.k8s.io/v1";
const configurationKinds = ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"];
const definitions = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  resource: "customresourcedefinitions",
  namespaced: false,
};

/** Returns the field manager of a registration, by which its objects are found again. */
export function managerOf(name: string): string {
  // Longer field managers are refused; names of objects may be twice as long.
  return name.slice(0, 128);
}

/** Returns the webhook configurations of that name, of any field manager. */
export async function configurationsNamed(cluster: Cluster, name: string): Promise<JsonObject[]> {
  const found: JsonObject[] = [];
  for (const kind of configurationKinds) {
    const object = await cluster.get(configurationVersion, kind, { name });
    if (object !== undefined) {
      found.push(object);
    }
  }
  return found;
}

/** Reports whether this toolkit has applied the object as a part of the registration of that name. */
export function isRegisteredAs(name: string, object: JsonObject): boolean {
  const { managedFields } = object["metadata"] as JsonObject;
  return (
    Array.isArray(managedFields) &&
    managedFields.some(
      (entry) => isJsonObject(entry) && entry["manager"] === managerOf(name) && entry["operation"] === "Apply",
    )
  );
}

/** Applies the objects of a registration with its field manager. */
export async function applyRegistration(cluster: Cluster, name: string, objects: readonly JsonObject[]): Promise<void> {
  for (const object of objects) {
    await cluster.apply(object, managerOf(name));
  }
}

/**
 * Removes the registration of a name: deletes its configurations, and removes the conversion from its definitions.
 * Objects of other field managers stay, and so do those in `kept`. Resolves to the removed objects, as `Kind name`.
 */
export async function takeBackRegistration(
  cluster: Cluster,
  name: string,
  kept: readonly JsonObject[] = [],
  signal: AbortSignal = new AbortController().signal,
): Promise<string[]> {
  const keptNames = new Set(kept.map(nameOf));
  const isStale = (object: JsonObject): boolean => isRegisteredAs(name, object) && !keptNames.has(nameOf(object));
  const taken: string[] = [];
  for (const configuration of (await configurationsNamed(cluster, name)).filter(isStale)) {
    if (await cluster.remove(configuration)) {
      taken.push(nameOf(configuration));
    }
  }
  const stale: JsonObject[] = [];
  const onItem = (item: JsonObject): void => {
    const { apiVersion, kind } = definitions;
    const object = { ...item, apiVersion, kind };
    if (isStale(object)) {
      stale.push(object);
    }
  };
  await cluster.list(definitions, onItem, signal).catch(unlessForbidden);
  for (const definition of stale) {
    if (await disown(cluster, name, definition)) {
      taken.push(nameOf(definition));
    }
  }
  return taken;
}

/**
 * Applies an empty object, which removes the members that were applied before. Resolves to false when the definition is
 * gone.
 */
async function disown(cluster: Cluster, name: string, { apiVersion, kind, metadata }: JsonObject): Promise<boolean> {
  const { name: definition, uid } = metadata as JsonObject;
  const nothing = { apiVersion, kind, metadata: { name: definition, uid } } as JsonObject;
  try {
    await cluster.apply(nothing, managerOf(name));
    return true;
  } catch (error) {
    if (error instanceof StatusError && (error.code === 404 || error.code === 409)) {
      return false;
    }
    throw error;
  }
}

/** Throws errors other than 403: an account that may not read definitions has registered no converters. */
function unlessForbidden(error: unknown): void {
  if (!(error instanceof StatusError && error.code === 403)) {
    throw error;
  }
}

function nameOf({ kind, metadata }: JsonObject): string {
  return `${kind} ${(metadata as JsonObject)["name"]}`;
}
