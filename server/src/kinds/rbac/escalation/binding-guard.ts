import type { AdmissionAttributes } from "@gatehouse/apiserver/admission";
import { metaOf } from "@gatehouse/apiserver/objects";
import type { Privileges } from "@gatehouse/apiserver/registry";
import { checkNameParameter } from "@gatehouse/apiserver/verbs";
import { textAt } from "@gatehouse/envelopes/json";
import { badRequest, forbidden, notFound, type StatusError } from "@gatehouse/envelopes/status";
import { missingRoleText, type RoleRef } from "@gatehouse/policies/rbac";
import { changesOnlyOwners, escalationOf, isMaster } from "./confirm-no-escalation.js";

/**
 * Refuses a binding of a role whose rules the user does not hold there, unless they may `bind` it there. Throws 403.
 */
export async function guardBinding(attributes: AdmissionAttributes, privileges: Privileges): Promise<void> {
  if (isMaster(attributes) || changesOnlyOwners(attributes) || (await mayBind(attributes, privileges))) {
    return;
  }
  const { object, namespace, resource } = attributes;
  const index = await privileges.rbac();
  const roleRef = { kind: textAt(object, "roleRef", "kind"), name: textAt(object, "roleRef", "name") };
  checkRoleRef(roleRef, namespace);
  const rules = index.rulesOfRole(roleRef, namespace);
  if (rules === undefined) {
    throw unresolved(roleRef);
  }
  const escalation = await escalationOf(attributes, privileges, rules);
  if (escalation !== undefined) {
    throw forbidden(resource, metaOf(object ?? {}).name ?? "", escalation);
  }
}

async function mayBind({ user, object, namespace }: AdmissionAttributes, { mayDo }: Privileges): Promise<boolean> {
  const resource = resourceOfKind.get(textAt(object, "roleRef", "kind"));
  if (resource === undefined) {
    return false;
  }
  const group = textAt(object, "roleRef", "apiGroup");
  const name = textAt(object, "roleRef", "name");
  try {
    return (await mayDo({ user, verb: "bind", group, resource, namespace, name })).isAllowed;
  } catch {
    return false; // Who cannot be asked has not allowed it.
  }
}

const resourceOfKind = new Map([
  ["ClusterRole", "clusterroles"],
  ["Role", "roles"],
]);

/** Validates the name of a role, and that a Role has a namespace. Throws 400. */
function checkRoleRef({ kind, name }: RoleRef, namespace: string): void {
  if (kind === "Role" && namespace === "") {
    throw badRequest("Namespace parameter required.");
  }
  if (resourceOfKind.has(kind)) {
    checkNameParameter(name);
  }
}

/** Returns the error for a role that cannot be found: 404, or, as in v1.29, the error of an unknown kind. */
function unresolved(roleRef: RoleRef): StatusError {
  const resource = resourceOfKind.get(roleRef.kind);
  return resource === undefined
    ? badRequest(missingRoleText(roleRef, "resource"))
    : notFound({ group: "rbac.authorization.k8s.io", resource }, roleRef.name);
}
