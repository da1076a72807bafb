import { ageColumn, column, nameColumn, objectAge, type TableDefinition } from "@gatehouse/apiserver/tables";
import { isSet, type JsonObject, objectAt, textAt } from "@gatehouse/envelopes/json";

/** Table columns of IngressClass: its controller and the object with its parameters. */
export const ingressClassColumns: TableDefinition = {
  columns: [
    nameColumn,
    column("Controller", "string", "Controller that serves ingresses of the class."),
    column("Parameters", "string", "Object with more settings for the controller."),
    ageColumn,
  ],
  cells(object, context) {
    return [
      textAt(object, "metadata", "name"),
      textAt(object, "spec", "controller"),
      classParameters(object),
      objectAge(object, context),
    ];
  },
};

function classParameters(object: JsonObject): string {
  if (!isSet(object, "spec", "parameters")) {
    return "<none>";
  }
  const parameters = objectAt(object, "spec", "parameters");
  const group = isSet(parameters, "apiGroup") ? `.${textAt(parameters, "apiGroup")}` : "";
  return `${textAt(parameters, "kind")}${group}/${textAt(parameters, "name")}`;
}
