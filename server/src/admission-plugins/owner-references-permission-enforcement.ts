import {
  type Access,
  type AdmissionAttributes,
  type AdmissionPlugin,
  refusal,
  type SortOfWrite,
} from "@gatehouse/apiserver/admission";
import { goQuote, isSameState } from "@gatehouse/envelopes/go";
import { booleanAt, isJsonObject, type JsonObject, type JsonValue, listAt, textAt } from "@gatehouse/envelopes/json";
import type { PluginParts } from "./plugin-parts.js";

type Parts = Pick<PluginParts, "objects" | "mayDo">;

/**
 * OwnerReferencesPermissionEnforcement: owners are changed only by who may delete the object, and made to wait for it only
 * by who may set their finalizers.
 */
export function ownerReferencesPermissionEnforcement(parts: Parts): AdmissionPlugin {
  return {
    name: "OwnerReferencesPermissionEnforcement",
    concerns: canChangeOwners,
    validate(attributes) {
      const owners = ownersOf(attributes.object);
      const isSame = isSameState([...owners], [...ownersOf(attributes.oldObject)]);
      return isSame ? undefined : checkPermissions(parts, attributes, owners);
    },
  };
}

/** Reports whether a write can change owners. A pod's status cannot: old kubelets send a wrong one. */
function canChangeOwners({ operation, resource, subresource }: SortOfWrite): boolean {
  const isPodStatus = resource.group === "" && resource.resource === "pods" && subresource === "status";
  return (operation === "CREATE" || operation === "UPDATE") && !isPodStatus;
}

function ownersOf(object: JsonObject | undefined): readonly JsonObject[] {
  return listAt(object, "metadata", "ownerReferences").filter((owner: JsonValue) => isJsonObject(owner));
}

async function checkPermissions(
  parts: Parts,
  attributes: AdmissionAttributes,
  owners: readonly JsonObject[],
): Promise<void> {
  const { operation, user, resource, subresource, namespace, name } = attributes;
  // Whoever creates an object could as well not have created it.
  if (operation !== "CREATE") {
    const denial = await denialOf(parts, {
      user,
      verb: "delete",
      group: resource.group,
      version: resource.version,
      resource: resource.resource,
      subresource,
      namespace,
      name,
    });
    if (denial !== undefined) {
      throw refusal(attributes, `cannot set an ownerRef on a resource you can't delete: ${denial}`);
    }
  }
  const blocking = newlyBlocking(owners, ownersOf(attributes.oldObject));
  if (blocking.length === 0 || (await denialOf(parts, finalizeAnything(attributes))) === undefined) {
    return;
  }
  for (const owner of blocking) {
    const denial = await denialOf(parts, finalize(parts, attributes, owner));
    if (denial !== undefined) {
      const what =
        "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on";
      throw refusal(attributes, `${what}: ${denial}`);
    }
  }
}

/** Returns the owners whose deletion waits for the object and did not before. */
function newlyBlocking(owners: readonly JsonObject[], before: readonly JsonObject[]): readonly JsonObject[] {
  const waiting = new Set(before.filter(isBlocking).map((owner) => textAt(owner, "uid")));
  return owners.filter((owner) => isBlocking(owner) && !waiting.has(textAt(owner, "uid")));
}

function isBlocking(owner: JsonObject): boolean {
  return booleanAt(owner, "blockOwnerDeletion");
}

function finalizeAnything({ user }: AdmissionAttributes): Access {
  return { user, verb: "update", group: "*", version: "*", resource: "*", subresource: "finalizers", name: "*" };
}

function finalize({ objects }: Parts, attributes: AdmissionAttributes, owner: JsonObject): Access {
  const [apiVersion, kind] = [textAt(owner, "apiVersion"), textAt(owner, "kind")];
  const known = objects.findKind(apiVersion, kind);
  if (known === undefined) {
    const what = `cannot find RESTMapping for APIVersion ${apiVersion} Kind ${kind}`;
    const why = `no matches for kind ${goQuote(kind)} in version ${goQuote(apiVersion)}`;
    throw refusal(attributes, `cannot set blockOwnerDeletion in this case because ${what}: ${why}`);
  }
  const { group, version, resource, namespaced } = known;
  return {
    user: attributes.user,
    verb: "update",
    group,
    version,
    resource,
    subresource: "finalizers",
    // Owners are in the namespace of what they own, or in none.
    namespace: namespaced ? attributes.namespace : "",
    name: textAt(owner, "name"),
  };
}

/**
 * Returns the reason of a denial, with the failure of the authorizer, as Go prints them; undefined when it is allowed.
 */
async function denialOf({ mayDo }: Parts, access: Access): Promise<string | undefined> {
  try {
    const { isAllowed, reason } = await mayDo(access);
    return isAllowed ? undefined : `${reason}, <nil>`;
  } catch (error) {
    return `, ${error instanceof Error ? error.message : String(error)}`;
  }
}
