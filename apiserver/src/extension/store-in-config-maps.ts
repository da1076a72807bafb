import type { ClientConfig } from "@gatehouse/component-base/kubeconfig";
import { type Problem, problemAt } from "@gatehouse/component-base/problems";
import { StoreUnusableError } from "../errors/errors.js";
import type { ApiServerOptions } from "../server/api-server-options.js";

/** A name that a ConfigMap may have with a digest behind it, and that a label may have as its value. */
const storeName = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** Checks the flags of a store in ConfigMaps, and the name of the program, which the ConfigMaps have. */
export function checkStoreInConfigMaps(
  { backend, namespace, name }: { readonly backend: string; readonly namespace: string; readonly name: string },
  problems: Problem[],
): void {
  if (backend !== "configmaps") {
    if (namespace !== "") {
      problems.push(problemAt("--storage-namespace", "is for --storage-backend=configmaps"));
    }
    return;
  }
  if (namespace === "") {
    problems.push(problemAt("--storage-namespace", "must be specified with --storage-backend=configmaps"));
  }
  if (!storeName.test(name)) {
    const rule = "at most 63 lower-case letters, digits and hyphens, with no hyphen at either end";
    problems.push(problemAt("--storage-backend", `configmaps needs a program whose name is ${rule}, not ${name}`));
  }
}

/** Returns the options of a server whose objects are in ConfigMaps in front. Its code is loaded for such servers alone. */
export function storeInConfigMaps(
  front: ClientConfig,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): Pick<ApiServerOptions, "store"> {
  return {
    async store({ log }) {
      const { openConfigMapStore } = await import("./config-map-store/index.js");
      try {
        const onTrouble = (error: unknown): void => log.storeTrouble(error);
        return await openConfigMapStore({ front, namespace, name, observer: log, onTrouble });
      } catch (cause) {
        const reason = cause instanceof Error ? cause.message : String(cause);
        throw new StoreUnusableError(
          `the store cannot be opened in ConfigMaps of the namespace ${namespace}: ${reason}`,
          {
            cause,
          },
        );
      }
    },
  };
}
