import { ageColumn, column, nameColumn, objectAge, type TableDefinition } from "@gatehouse/apiserver/tables";
import { isSet, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";

/** Table columns of ValidatingAdmissionPolicy: the number of validations and the parameter kind. */
export const validatingAdmissionPolicyColumns: TableDefinition = {
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
