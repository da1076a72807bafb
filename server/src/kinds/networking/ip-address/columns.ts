import { column, nameColumn, objectAge, type TableDefinition } from "@gatehouse/apiserver/tables";
import { toLower } from "@gatehouse/envelopes/go";
import { isSet, type JsonObject, objectAt, textAt } from "@gatehouse/envelopes/json";

/** Table columns of IPAddress: the object that uses it, as `services/namespace/name`. */
export const ipAddressColumns: TableDefinition = {
  columns: [nameColumn, column("ParentRef", "string", "The object that uses the address.")],
  cells(object, context) {
    // v1.29 sends the age, too, although there is no column for it.
    return [textAt(object, "metadata", "name"), parentReference(object), objectAge(object, context)];
  },
};

function parentReference(object: JsonObject): string {
  if (!isSet(object, "spec", "parentRef")) {
    return "<none>";
  }
  const parent = objectAt(object, "spec", "parentRef");
  const group = textAt(parent, "group");
  const resource = textAt(parent, "resource");
  const namespace = textAt(parent, "namespace");
  return [
    toLower(group === "" ? resource : `${resource}.${group}`),
    ...(namespace === "" ? [] : [namespace]),
    textAt(parent, "name"),
  ].join("/");
}
