import type { JsonObject } from "@gatehouse/envelopes";
import { preserveZeroSharesAnnotation } from "../conversion/priority-level-configuration.js";
import { booleanAt, isSet, listAt, textAt } from "../objects/json-fields.js";
import { ownList, ownObject } from "../objects/own-members.js";
import { type DefaultingRule, type DefaultingRules, setIfAbsent, setIfZero } from "./defaulting-rule.js";

const rbacGroup = "rbac.authorization.k8s.io";

/** Groups with few rules. */
const roleBinding: DefaultingRule = (binding) => {
  setIfZero(ownObject(binding, "roleRef"), "apiGroup", rbacGroup);
};

export const otherRules: DefaultingRules = {
  "k8s.io.api.flowcontrol.v1beta3.PriorityLevelConfiguration"(level) {
    const zeroIsMeant = isSet(level, "metadata", "annotations", preserveZeroSharesAnnotation);
    if (isSet(level, "spec", "limited") && !zeroIsMeant) {
      setIfZero(ownObject(ownObject(level, "spec"), "limited"), "nominalConcurrencyShares", 30);
    }
  },
  "k8s.io.api.networking.v1.IngressClass"(ingressClass) {
    if (isSet(ingressClass, "spec", "parameters")) {
      setIfAbsent(ownObject(ownObject(ingressClass, "spec"), "parameters"), "scope", "Cluster");
    }
  },
  "k8s.io.api.networking.v1.NetworkPolicy"(policy) {
    const spec = ownObject(policy, "spec");
    if (listAt(spec, "policyTypes").length === 0) {
      spec["policyTypes"] = listAt(spec, "egress").length > 0 ? ["Ingress", "Egress"] : ["Ingress"];
    }
  },
  "k8s.io.api.rbac.v1.ClusterRoleBinding": roleBinding,
  "k8s.io.api.rbac.v1.RoleBinding": roleBinding,
  "k8s.io.api.rbac.v1.Subject"(subject) {
    const kind = textAt(subject, "kind");
    if (kind === "User" || kind === "Group") {
      setIfZero(subject, "apiGroup", rbacGroup);
    }
  },
  "k8s.io.api.storage.v1.CSIDriver": completeDriver,
  "k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition": noteStoredVersion,
  "k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionSpec"(spec) {
    const names = ownObject(spec, "names");
    const kind = textAt(names, "kind");
    if (kind !== "") {
      setIfZero(names, "singular", kind.toLowerCase());
      setIfZero(names, "listKind", `${kind}List`);
    }
  },
};

const driverDefaults = {
  attachRequired: true,
  podInfoOnMount: false,
  storageCapacity: false,
  fsGroupPolicy: "ReadWriteOnceWithFSType",
  requiresRepublish: false,
};

function completeDriver(driver: JsonObject, features: Parameters<DefaultingRule>[1]): void {
  const spec = ownObject(driver, "spec");
  for (const [name, value] of Object.entries(driverDefaults)) {
    setIfAbsent(spec, name, value);
  }
  if (listAt(spec, "volumeLifecycleModes").length === 0) {
    spec["volumeLifecycleModes"] = ["Persistent"];
  }
  if (features.enabled("SELinuxMountReadWriteOncePod")) {
    setIfAbsent(spec, "seLinuxMount", false);
  }
}

function noteStoredVersion(definition: JsonObject): void {
  if (listAt(definition, "status", "storedVersions").length > 0) {
    return;
  }
  const stored = listAt(definition, "spec", "versions").find((version) => booleanAt(version, "storage"));
  if (stored !== undefined) {
    ownList(ownObject(definition, "status"), "storedVersions").push(textAt(stored, "name"));
  }
}
