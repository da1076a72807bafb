import type { authenticationV1, metaV1 } from "@gatehouse/envelopes/types";
import { boolType, type CelType, listType, objectType, stringType } from "@gatehouse/policies/cel";
import type { AdmissionRequest } from "../handlers/admission-request.js";
import type { Value } from "./values.js";

/** The request, as far as a hook and a policy are told the same of it. */
export interface RequestFacts {
  readonly operation: "CREATE" | "UPDATE";
  readonly kind: Required<metaV1.GroupVersionKind>;
  readonly resource: Required<metaV1.GroupVersionResource>;
  readonly subResource?: string;
  /** Absent while the server has not generated it. */
  readonly name?: string;
  /** Absent for cluster-scoped resources. */
  readonly namespace?: string;
  readonly userInfo: Pick<authenticationV1.UserInfo, "username" | "uid" | "groups">;
  readonly dryRun: boolean;
}

/** The type of `request` in a policy, without what hooks are not told in the same way. */
export const requestType: CelType = objectType("kubernetes.AdmissionRequest", {
  kind: objectType("kubernetes.GroupVersionKind", { group: stringType, version: stringType, kind: stringType }),
  resource: objectType("kubernetes.GroupVersionResource", {
    group: stringType,
    version: stringType,
    resource: stringType,
  }),
  subResource: stringType,
  name: stringType,
  namespace: stringType,
  operation: stringType,
  userInfo: objectType("kubernetes.UserInfo", { username: stringType, uid: stringType, groups: listType(stringType) }),
  dryRun: boolType,
});

/** Returns the members of a request as policies see them: texts that are empty are absent. */
export function factsOf(request: AdmissionRequest): Value {
  const { operation, kind, resource, subResource, name, namespace, userInfo, dryRun } = request;
  const { username, uid, groups } = userInfo;
  return {
    operation,
    kind: { group: kind.group, version: kind.version, kind: kind.kind },
    resource: { group: resource.group, version: resource.version, resource: resource.resource },
    dryRun,
    userInfo: {
      ...present({ username, uid }),
      ...(groups === undefined || groups.length === 0 ? {} : { groups }),
    },
    ...present({ subResource, name, namespace }),
  };
}

function present(texts: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(texts).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ""),
  );
}
