import type { AdmissionAttributes } from "@gatehouse/apiserver/admission";
import { metaOf } from "@gatehouse/apiserver/objects";
import type { Privileges } from "@gatehouse/apiserver/registry";
import { listAt } from "@gatehouse/envelopes/json";
import { forbidden } from "@gatehouse/envelopes/status";
import { policyRulesOf } from "@gatehouse/policies/rbac";
import { changesOnlyOwners, escalationOf, isMaster } from "./confirm-no-escalation.js";

/** Refuses a role with rules that the user does not hold, unless they may `escalate`. Throws 403. */
export async function guardRole(attributes: AdmissionAttributes, privileges: Privileges): Promise<void> {
  if (isMaster(attributes) || (await mayEscalate(attributes, privileges)) || changesOnlyOwners(attributes)) {
    return;
  }
  const { object, resource, oldObject } = attributes;
  const name = metaOf(object ?? {}).name ?? "";
  const escalation = await escalationOf(attributes, privileges, policyRulesOf(object));
  if (escalation !== undefined) {
    throw forbidden(resource, name, escalation);
  }
  // An aggregated role can collect any rule, and a change of its selectors can add more.
  const collects = [object, oldObject].some(
    (role) => listAt(role, "aggregationRule", "clusterRoleSelectors").length > 0,
  );
  if (collects && (await escalationOf(attributes, privileges, everything)) !== undefined) {
    throw forbidden(resource, name, "must have cluster-admin privileges to use the aggregationRule");
  }
}

const everything = policyRulesOf({
  rules: [
    { verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
    { verbs: ["*"], nonResourceURLs: ["*"] },
  ],
});

/** Reports whether the user may `escalate` the role. The name is that in the path, so none on create. */
async function mayEscalate(attributes: AdmissionAttributes, { mayDo }: Privileges): Promise<boolean> {
  const { user, resource, namespace, oldObject } = attributes;
  const name = oldObject === undefined ? attributes.pathName : attributes.name;
  const { group } = resource;
  try {
    const { isAllowed } = await mayDo({ user, verb: "escalate", group, resource: resource.resource, namespace, name });
    return isAllowed;
  } catch {
    return false; // Who cannot be asked has not allowed it.
  }
}
