import type { JsonObject } from "@gatehouse/envelopes";
import { isSet, listAt, objectAt, textAt } from "../objects/json-fields.js";
import { objectAge } from "./duration.js";
import { labelSelectorDump } from "./labels.js";
import { ageColumn, column, nameColumn, type TableDefinition } from "./table-definition.js";

const webhookConfiguration: TableDefinition = {
  columns: [nameColumn, column("Webhooks", "integer", "Number of webhooks."), ageColumn],
  cells(object, context) {
    return [textAt(object, "metadata", "name"), listAt(object, "webhooks").length, objectAge(object, context)];
  },
};

const validatingAdmissionPolicy: TableDefinition = {
  columns: [
    nameColumn,
    column("Validations", "integer", "Number of rules in the policy."),
    column("ParamKind", "string", "Kind of the objects that parametrize the policy."),
    ageColumn,
  ],
  cells(object, context) {
    const paramKind = objectAt(object, "spec", "paramKind");
    return [
      textAt(object, "metadata", "name"),
      listAt(object, "spec", "validations").length,
      isSet(object, "spec", "paramKind")
        ? `${textAt(paramKind, "apiVersion")}/${textAt(paramKind, "kind")}`
        : "<unset>",
      objectAge(object, context),
    ];
  },
};

const validatingAdmissionPolicyBinding: TableDefinition = {
  columns: [
    nameColumn,
    column("PolicyName", "string", "The policy that is put to work."),
    column("ParamRef", "string", "The objects that parametrize it."),
    ageColumn,
  ],
  cells(object, context) {
    return [
      textAt(object, "metadata", "name"),
      textAt(object, "spec", "policyName"),
      parameterReference(objectAt(object, "spec", "paramRef")),
      objectAge(object, context),
    ];
  },
};

/** Without a namespace it cannot be told whether the parameter kind is namespaced, hence the `*`. */
function parameterReference(reference: JsonObject): string {
  const name = textAt(reference, "name");
  if (name !== "") {
    return `${textAt(reference, "namespace") || "*"}/${name}`;
  }
  return isSet(reference, "selector") ? labelSelectorDump(objectAt(reference, "selector")) : "<unset>";
}

export const admissionregistrationTables: Readonly<Record<string, TableDefinition>> = {
  MutatingWebhookConfiguration: webhookConfiguration,
  ValidatingAdmissionPolicy: validatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding: validatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration: webhookConfiguration,
};
