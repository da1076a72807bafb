import { type DefaultingFunctions, inPackage, setIfAbsent } from "../../defaults/defaulting-function.js";
import { ownObject } from "../../json/own-members.js";

/** Defaults of ReplicaSet: one replica. */
export const replicaSetDefaults: DefaultingFunctions = inPackage("k8s.io.api.apps.v1", {
  ReplicaSet(replicaSet) {
    setIfAbsent(ownObject(replicaSet, "spec"), "replicas", 1);
  },
});
