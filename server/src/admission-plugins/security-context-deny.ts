import { type AdmissionPlugin, isCoreWrite } from "@gatehouse/apiserver/admission";
import { metaOf } from "@gatehouse/apiserver/objects";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { problemAt } from "@gatehouse/component-base/problems";
import { isSet, type JsonObject } from "@gatehouse/envelopes/json";
import { forbidden } from "@gatehouse/envelopes/status";
import type { PluginParts } from "./plugin-parts.js";
import { containersOf, podsResource } from "./pods.js";

/** Members of security contexts, with the names that v1.29 has for them. */
const ofPods = [
  ["supplementalGroups", "SupplementalGroups"],
  ["seLinuxOptions", "SELinuxOptions"],
  ["runAsUser", "RunAsUser"],
  ["fsGroup", "FSGroup"],
] as const;
const ofContainers = [
  ["seLinuxOptions", "SELinuxOptions"],
  ["runAsUser", "RunAsUser"],
] as const;

/** SecurityContextDeny: pods say nothing of users, groups and SELinux. Only with the feature gate of that name. */
export function securityContextDeny({ features }: Pick<PluginParts, "features">): AdmissionPlugin {
  if (!features.enabled("SecurityContextDeny")) {
    throw new ConfigurationError("flags", [
      problemAt(
        "--enable-admission-plugins",
        "SecurityContextDeny is an alpha feature, planned to be removed, and needs --feature-gates=SecurityContextDeny=true",
      ),
    ]);
  }
  return {
    name: "SecurityContextDeny",
    concerns: (write) => isCoreWrite(write, "pods", ["CREATE", "UPDATE"]),
    validate({ object = {} }) {
      const problem = problemOf(object);
      if (problem !== undefined) {
        throw forbidden(podsResource, metaOf(object).name ?? "", `${problem} is forbidden`);
      }
    },
  };
}

function problemOf(pod: JsonObject): string | undefined {
  const ofPod = ofPods.find(([member]) => isSet(pod, "spec", "securityContext", member));
  if (ofPod !== undefined) {
    return `pod.Spec.SecurityContext.${ofPod[1]}`;
  }
  const found = containersOf(pod, ["initContainers", "containers"])
    .map((container) => ofContainers.find(([member]) => isSet(container, "securityContext", member)))
    .find((member) => member !== undefined);
  return found === undefined ? undefined : `SecurityContext.${found[1]}`;
}
