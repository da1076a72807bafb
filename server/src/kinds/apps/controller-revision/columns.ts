import { ageColumn, column, nameColumn, objectAge, type TableDefinition } from "@gatehouse/apiserver/tables";
import { toLower } from "@gatehouse/envelopes/go";
import { integerAt, type JsonObject, listAt, textAt, valueAt } from "@gatehouse/envelopes/json";
import { groupVersionOf } from "@gatehouse/envelopes/schema";

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
  const { group } = groupVersionOf(textAt(owner, "apiVersion"));
  const kind = toLower(group === "" ? textAt(owner, "kind") : `${textAt(owner, "kind")}.${group}`);
  return kind === "" ? textAt(owner, "name") : `${kind}/${textAt(owner, "name")}`;
}
