import { type DefaultingFunctions, setIfAbsent } from "../../defaults/defaulting-function.js";
import { isSet } from "../../json/json-fields.js";
import { ownObject } from "../../json/own-members.js";

/** Defaults of IngressClass: parameters are an object of the cluster, not of a namespace. */
export const ingressClassDefaults: DefaultingFunctions = {
  "k8s.io.api.networking.v1.IngressClass"(ingressClass) {
    if (isSet(ingressClass, "spec", "parameters")) {
      setIfAbsent(ownObject(ownObject(ingressClass, "spec"), "parameters"), "scope", "Cluster");
    }
  },
};
