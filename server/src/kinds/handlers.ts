import { resourceNotFound } from "@gatehouse/envelopes";
import type { CatalogueSource } from "../catalogue/live-catalogue.js";
import type { HandlersOfKinds } from "../verbs/verb-handler.js";
import { getComponentStatus, listComponentStatuses } from "./core/component-status/component-statuses.js";
import { createBinding } from "./core/pod/binding.js";
import { createEviction } from "./core/pod/eviction.js";

/** What built-in kinds do that no mechanism does for them. */
export function builtinHandlers(catalogues: CatalogueSource): HandlersOfKinds {
  return new Map([
    [
      "bindings",
      {
        create: (environment, context) => {
          const pods = catalogues.current.find("", "v1", "pods");
          if (pods === undefined) {
            throw resourceNotFound();
          }
          return createBinding(environment, context, pods);
        },
      },
    ],
    ["componentstatuses", { get: getComponentStatus, list: listComponentStatuses }],
    ["pods/binding", { create: createBinding }],
    [
      "pods/eviction",
      { create: createEviction(() => catalogues.current.findAnyVersion("policy", "poddisruptionbudgets")) },
    ],
  ]);
}
