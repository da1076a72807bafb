import { resourceNotFound } from "@gatehouse/envelopes";
import type { CatalogueSource } from "../catalogue/live-catalogue.js";
import { createBinding } from "../subresources/binding.js";
import type { SubresourceHandler } from "../subresources/subresource-handler.js";
import { getComponentStatus, listComponentStatuses } from "./core/component-status/component-statuses.js";

/** Handlers of resources that are an operation or are computed on reading, by resource and verb. */
export function virtualResourceHandlers(
  catalogues: CatalogueSource,
): Readonly<Record<string, Readonly<Record<string, SubresourceHandler>> | undefined>> {
  return {
    bindings: {
      create: (environment, context) => {
        const pods = catalogues.current.find("", "v1", "pods");
        if (pods === undefined) {
          throw resourceNotFound();
        }
        return createBinding(environment, context, pods);
      },
    },
    componentstatuses: { get: getComponentStatus, list: listComponentStatuses },
  };
}
