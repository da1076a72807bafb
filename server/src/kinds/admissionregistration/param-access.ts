import type { AdmissionAttributes } from "@gatehouse/apiserver/admission";
import { metaOf } from "@gatehouse/apiserver/objects";
import type { Privileges } from "@gatehouse/apiserver/registry";
import { isSet, type JsonObject, textAt } from "@gatehouse/envelopes/json";
import { groupVersionOf } from "@gatehouse/envelopes/schema";
import { fieldError, invalid } from "@gatehouse/envelopes/status";

type User = AdmissionAttributes["user"];

/** The kind of the parameters of a policy. */
interface ParamKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * Refuses a policy whose author may not read the parameters that it names, unless it named them before. Throws 422, as
 * v1.29 does.
 */
export async function guardParamKind(attributes: AdmissionAttributes, privileges: Privileges): Promise<void> {
  const { object, oldObject, user, subresource } = attributes;
  const paramKind = paramKindOf(object);
  const before = paramKindOf(oldObject);
  const isSame = paramKind?.apiVersion === before?.apiVersion && paramKind?.kind === before?.kind;
  if (subresource !== "" || paramKind === undefined || isSame || isMaster(user)) {
    return;
  }
  const access = { ...resourceOf(paramKind, privileges), user, verb: "get", namespace: "*", name: "*" };
  const { isAllowed } = await privileges.mayDo(access);
  if (!isAllowed) {
    const { kind, apiVersion } = paramKind;
    const text = `user ${userText(user)} must have "get" permission on all objects of the referenced paramKind (kind=${kind}, apiVersion=${apiVersion})`;
    throw refusedField(attributes, "spec.paramKind", text);
  }
}

/** Refuses a binding whose author may not read the parameters that it refers to. Throws 422, as v1.29 does. */
export async function guardParamRef(attributes: AdmissionAttributes, privileges: Privileges): Promise<void> {
  const { object, user } = attributes;
  if (!isSet(object, "spec", "paramRef") || isMaster(user)) {
    return;
  }
  const name = textAt(object, "spec", "paramRef", "name");
  const namespace = textAt(object, "spec", "paramRef", "namespace");
  const verb = name === "" ? "list" : "get";
  const resource = resourceOf(await paramKindOfPolicy(attributes, privileges), privileges);
  const { isAllowed } = await privileges.mayDo({ ...resource, user, verb, namespace, name });
  if (!isAllowed) {
    // v1.29 has user and verb in each other's place.
    const text = `user ${verb} does not have "${userText(user)}" permission on the object referenced by paramRef`;
    throw refusedField(attributes, "spec.paramRef", text);
  }
}

function isMaster({ groups }: User): boolean {
  return groups.includes("system:masters");
}

function paramKindOf(policy: JsonObject | undefined): ParamKind | undefined {
  return isSet(policy, "spec", "paramKind")
    ? {
        apiVersion: textAt(policy, "spec", "paramKind", "apiVersion"),
        kind: textAt(policy, "spec", "paramKind", "kind"),
      }
    : undefined;
}

/** Returns the kind of the parameters of the policy of a binding; undefined if there is no such policy or kind. */
async function paramKindOfPolicy(
  attributes: AdmissionAttributes,
  { objects }: Privileges,
): Promise<ParamKind | undefined> {
  const { group, version } = attributes.resource;
  const policies = objects.reader({ group, version, resource: "validatingadmissionpolicies" });
  return paramKindOf(await policies.get("", textAt(attributes.object, "spec", "policyName"), attributes));
}

/** Returns the resource of a kind; any resource, of any group, as far as it is not known. */
function resourceOf(
  paramKind: ParamKind | undefined,
  { objects }: Privileges,
): { readonly group: string; readonly version: string; readonly resource: string } {
  if (paramKind === undefined) {
    return { group: "*", version: "*", resource: "*" };
  }
  const { apiVersion, kind } = paramKind;
  return {
    ...groupVersionOf(apiVersion),
    resource: objects.findKind(apiVersion, kind)?.resource ?? "*",
  };
}

/** Returns a user as Go prints it. */
function userText({ username, uid = "", groups, extra = {} }: User): string {
  const extras = Object.entries(extra)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, values]) => `${key}:[${values.join(" ")}]`);
  return `&{${username} ${uid} [${groups.join(" ")}] map[${extras.join(" ")}]}`;
}

function refusedField({ kind, object }: AdmissionAttributes, field: string, text: string): Error {
  return invalid(kind, metaOf(object ?? {}).name ?? "", [fieldError.forbidden(field, text)]);
}
