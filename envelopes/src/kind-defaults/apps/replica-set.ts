import { type DefaultingRules, rulesOf, setIfAbsent } from "../../defaults/defaulting-rule.js";
import { ownObject } from "../../json/own-members.js";

/** Defaults of ReplicaSet: one replica. */
export const replicaSetDefaults: DefaultingRules = rulesOf("k8s.io.api.apps.v1", {
  ReplicaSet(replicaSet) {
    setIfAbsent(ownObject(replicaSet, "spec"), "replicas", 1);
  },
});
