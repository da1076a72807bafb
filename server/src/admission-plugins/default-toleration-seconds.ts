import { type AdmissionPlugin, isCoreWrite } from "@gatehouse/apiserver/admission";
import { type JsonObject, type JsonValue, listAt, ownList, ownObject, textAt } from "@gatehouse/envelopes/json";
import type { PluginParts } from "./plugin-parts.js";

/** DefaultTolerationSeconds: pods stay for a while on a node that is not ready or cannot be reached, unless they say else. */
export function defaultTolerationSeconds({ settings }: Pick<PluginParts, "settings">): AdmissionPlugin {
  const defaults = [
    tolerationFor("node.kubernetes.io/not-ready", settings.notReadyTolerationSeconds),
    tolerationFor("node.kubernetes.io/unreachable", settings.unreachableTolerationSeconds),
  ];
  return {
    name: "DefaultTolerationSeconds",
    concerns: (write) => isCoreWrite(write, "pods", ["CREATE", "UPDATE"]),
    admit(attributes) {
      const present = listAt(attributes.object, "spec", "tolerations");
      const missing = defaults.filter(({ key }) => !present.some((toleration) => isFor(toleration, key)));
      if (missing.length > 0) {
        attributes.mutate((pod) => {
          ownList(ownObject(pod, "spec"), "tolerations").push(...missing.map((toleration) => ({ ...toleration })));
          return undefined;
        });
      }
    },
  };
}

function tolerationFor(key: string, tolerationSeconds: number): JsonObject & { readonly key: string } {
  return { key, operator: "Exists", effect: "NoExecute", tolerationSeconds };
}

/** Reports whether a toleration covers the NoExecute taint `key`. Its operator and value do not count. */
function isFor(toleration: JsonValue, key: string): boolean {
  return ["", key].includes(textAt(toleration, "key")) && ["", "NoExecute"].includes(textAt(toleration, "effect"));
}
