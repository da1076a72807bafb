import { type Controller, ignoreNotFound, reconcile } from "@gatehouse/apiserver/client";
import { type Condition, setCondition, timestamp } from "@gatehouse/apiserver/objects";
import { conditionOfType, type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";
import { customResourceDefinitions } from "../definition/definitions-resource.js";
import { apiApproval, isCommunityGroup } from "../resources/api-approval.js";
import { approvalAnnotation, definitionSummary } from "../resources/definition-summary.js";
import type { DefinitionControllerOptions } from "./naming.js";

const conditionType = "KubernetesAPIApprovalPolicyConformant";

const reasons = {
  invalid: "InvalidAnnotation",
  missing: "MissingAnnotation",
  approved: "ApprovedAnnotation",
  bypassed: "UnapprovedAnnotation",
} as const;

/** Tells of definitions in groups of the Kubernetes community whether their API has been approved. */
export function definitionApiApproval(options: DefinitionControllerOptions): Controller {
  const { client, now } = options;
  const work = async (name: string): Promise<undefined> => {
    await client
      .update(customResourceDefinitions, { namespace: "", name, subresource: "status" }, (definition) => {
        const wanted = approvalCondition(definition);
        const known = conditionOfType(listAt(definition, "status", "conditions"), conditionType);
        if (known !== undefined && isSameCondition(known, wanted)) {
          return undefined;
        }
        setCondition(definition, wanted, timestamp(now()));
        return definition;
      })
      .catch(ignoreNotFound);
    return undefined;
  };
  return {
    name: "kubernetes-api-approval-conformant-condition-controller",
    run: (signal) =>
      reconcile({
        ...options,
        signal,
        concurrency: 4,
        work,
        sources: [
          {
            resource: customResourceDefinitions,
            keyOf: ({ name, entry }, event) => {
              if (event === "DELETED") {
                return undefined;
              }
              const { group, approval, condition } = definitionSummary(entry);
              const known = condition(conditionType);
              const isTold = known !== undefined && isSameCondition(known, conditionOf(approval));
              return isCommunityGroup(group) && !isTold ? name : undefined;
            },
          },
        ],
      }),
  };
}

function approvalCondition(definition: JsonObject): Condition {
  return conditionOf(textAt(definition, "metadata", "annotations", approvalAnnotation));
}

function conditionOf(annotation = ""): Condition {
  const { state, reason } = apiApproval(annotation);
  return {
    type: conditionType,
    status: state === "approved" ? "True" : "False",
    reason: reasons[state],
    message: reason,
  };
}

function isSameCondition(known: JsonObject, wanted: Condition): boolean {
  return (["status", "reason", "message"] as const).every((member) => known[member] === wanted[member]);
}
