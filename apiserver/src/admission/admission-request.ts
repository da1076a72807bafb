import type { JsonObject } from "@gatehouse/envelopes/json";
import type { GroupVersionKind, GroupVersionResource } from "@gatehouse/envelopes/schema";
import type { UserInfo } from "../request/user-info.js";
import type { AdmissionAttributes } from "./attributes.js";
import type { ServedForm } from "./object-interfaces.js";

/**
 * Returns the members of an AdmissionRequest after its uid. `form` is the one that a rule has matched; the objects are of
 * that form, null where there is none.
 */
export function admissionRequest(
  attributes: AdmissionAttributes,
  form: ServedForm,
  object: JsonObject | null,
  oldObject: JsonObject | null,
): JsonObject {
  const { kind, resource, subresource, name, namespace, operation, options, user, dryRun } = attributes;
  return {
    kind: kindOf(form.kind),
    resource: resourceOf(form.resource),
    ...(subresource === "" ? {} : { subResource: subresource }),
    requestKind: kindOf(kind),
    requestResource: resourceOf(resource),
    ...(subresource === "" ? {} : { requestSubResource: subresource }),
    ...(name === "" ? {} : { name }),
    ...(namespace === "" ? {} : { namespace }),
    operation,
    userInfo: userOf(user),
    object,
    oldObject,
    dryRun,
    options: Object.keys(options).length === 0 ? null : options,
  };
}

function kindOf({ group, version, kind }: GroupVersionKind): JsonObject {
  return { group, version, kind };
}

function resourceOf({ group, version, resource }: GroupVersionResource): JsonObject {
  return { group, version, resource };
}

function userOf({ username, uid = "", groups, extra = {} }: UserInfo): JsonObject {
  const extras = Object.entries(extra);
  return {
    ...(username === "" ? {} : { username }),
    ...(uid === "" ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups: [...groups] }),
    ...(extras.length === 0 ? {} : { extra: Object.fromEntries(extras.map(([key, values]) => [key, [...values]])) }),
  };
}
