import { type Controller, ignoreNotFound, reconcile } from "@gatehouse/apiserver/client";
import { isConditionTrue, setCondition, timestamp } from "@gatehouse/apiserver/objects";
import { customResourceDefinitions } from "../definition/definitions-resource.js";
import { definitionSummary, hasTrueCondition } from "../resources/definition-summary.js";
import type { DefinitionControllerOptions } from "./naming.js";

/** Establishes definitions whose names are accepted: from then on their resources are served. */
export function definitionEstablishing(options: DefinitionControllerOptions): Controller {
  const { client, now } = options;
  const work = async (name: string): Promise<undefined> => {
    await client
      .update(customResourceDefinitions, { namespace: "", name, subresource: "status" }, (definition) => {
        if (!isConditionTrue(definition, "NamesAccepted") || isConditionTrue(definition, "Established")) {
          return undefined;
        }
        const message = "the initial names have been accepted";
        setCondition(
          definition,
          { type: "Established", status: "True", reason: "InitialNamesAccepted", message },
          timestamp(now()),
        );
        return definition;
      })
      .catch(ignoreNotFound);
    return undefined;
  };
  return {
    name: "crd-establishing-controller",
    run: (signal) =>
      reconcile({
        ...options,
        signal,
        concurrency: 16,
        work,
        sources: [
          {
            resource: customResourceDefinitions,
            keyOf: ({ name, entry }, event) => {
              if (event === "DELETED") {
                return undefined;
              }
              const summary = definitionSummary(entry);
              return hasTrueCondition(summary, "NamesAccepted") && !hasTrueCondition(summary, "Established")
                ? name
                : undefined;
            },
          },
        ],
      }),
  };
}
