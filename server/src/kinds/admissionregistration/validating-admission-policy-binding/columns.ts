import {
  ageColumn,
  column,
  labelSelectorDump,
  nameColumn,
  objectAge,
  type TableDefinition,
} from "@gatehouse/apiserver/tables";
import { isSet, type JsonObject, objectAt, textAt } from "@gatehouse/envelopes/json";

/** Table columns of ValidatingAdmissionPolicyBinding: the policy and its parameters. */
export const validatingAdmissionPolicyBindingColumns: TableDefinition = {
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

/**
 * Returns the text of a reference to parameters; `*` for the namespace if it is not set, since the scope of the
 * parameter kind is unknown here.
 */
function parameterReference(reference: JsonObject): string {
  const name = textAt(reference, "name");
  if (name !== "") {
    return `${textAt(reference, "namespace") || "*"}/${name}`;
  }
  return isSet(reference, "selector") ? labelSelectorDump(objectAt(reference, "selector")) : "<unset>";
}
