import {
  ageColumn,
  column,
  nameColumn,
  objectAge,
  type TableDefinition,
  wideColumn,
} from "@gatehouse/apiserver/tables";
import { type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";

/** Table columns of RoleBinding and ClusterRoleBinding: the role and its subjects. */
export const roleBindingColumns: TableDefinition = {
  columns: [
    nameColumn,
    column("Role", "string", "The role that is granted."),
    ageColumn,
    wideColumn("Users", "string", "Users who get the role."),
    wideColumn("Groups", "string", "Groups that get the role."),
    wideColumn("ServiceAccounts", "string", "Service accounts that get the role."),
  ],
  cells(object, context) {
    return [
      textAt(object, "metadata", "name"),
      `${textAt(object, "roleRef", "kind")}/${textAt(object, "roleRef", "name")}`,
      objectAge(object, context),
      subjects(object, "User", (subject) => textAt(subject, "name")),
      subjects(object, "Group", (subject) => textAt(subject, "name")),
      subjects(object, "ServiceAccount", (subject) => `${textAt(subject, "namespace")}/${textAt(subject, "name")}`),
    ];
  },
};

function subjects(object: JsonObject, kind: string, show: (subject: JsonObject) => string): string {
  return listAt(object, "subjects")
    .filter((subject) => textAt(subject, "kind") === kind)
    .map((subject) => show(subject as JsonObject))
    .join(", ");
}
