import type { JsonObject } from "@gatehouse/envelopes/json";
import type { AuthorizationAttributes } from "../authorizer.js";

/** Returns a SubjectAccessReviewSpec, with its members in v1.29's order. */
export function accessQuestion({ user, info }: AuthorizationAttributes, version: "v1" | "v1beta1"): JsonObject {
  const { username, groups, extra = {}, uid = "" } = user;
  const keys = Object.keys(extra).sort();
  return {
    ...(info.isResourceRequest
      ? {
          resourceAttributes: present({
            namespace: info.namespace,
            verb: info.verb,
            group: info.group,
            version: info.version,
            resource: info.resource,
            subresource: info.subresource,
            name: info.name,
          }),
        }
      : { nonResourceAttributes: present({ path: info.path, verb: info.verb }) }),
    ...present({ user: username }),
    ...(groups.length === 0 ? {} : { [version === "v1" ? "groups" : "group"]: [...groups] }),
    ...(keys.length === 0 ? {} : { extra: Object.fromEntries(keys.map((key) => [key, [...(extra[key] ?? [])]])) }),
    ...present({ uid }),
  };
}

/** Characters that whoever asks can choose; v1.29 does not remember answers to questions with more of them than this. */
const maxRememberedLength = 10_000;

/** Reports whether the answer may be cached: long questions from clients could fill the memory. */
export function isRemembered({ info }: AuthorizationAttributes): boolean {
  const { namespace, verb, group, version, resource, subresource, name, path } = info;
  const texts = [namespace, verb, group, version, resource, subresource, name, path];
  return texts.reduce((length, text) => length + Buffer.byteLength(text), 0) < maxRememberedLength;
}

function present(members: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== ""));
}
