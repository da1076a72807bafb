import { ageColumn, column, nameColumn, objectAge, type TableDefinition } from "@gatehouse/apiserver/tables";
import { integerAt, type JsonObject, listAt, textAt, valueAt } from "@gatehouse/envelopes/json";

/** Table columns of ControllerRevision: its controller, as `daemonset.apps/name`, and its number. */
export const controllerRevisionColumns: TableDefinition = {
  columns: [
    nameColumn,
    column("Controller", "string", "The object that manages the revision."),
    column("Revision", "string", "Number of the revision."),
    ageColumn,
  ],
  cells(object, context) {
    return [
      textAt(object, "metadata", "name"),
      controllerOwner(object),
      integerAt(object, "revision"),
      objectAge(object, context),
    ];
  },
};

/** Returns the managing owner as `daemonset.apps/name`. */
function controllerOwner(object: JsonObject): string {
  const owner = listAt(object, "metadata", "ownerReferences").find(
    (reference) => valueAt(reference, "controller") === true,
  );
  if (owner === undefined) {
    return "<none>";
  }
  const apiVersion = textAt(owner, "apiVersion");
  const group = apiVersion.includes("/") ? `.${apiVersion.slice(0, apiVersion.indexOf("/"))}` : "";
  const kind = `${textAt(owner, "kind")}${group}`.toLowerCase();
  return kind === "" ? textAt(owner, "name") : `${kind}/${textAt(owner, "name")}`;
}
