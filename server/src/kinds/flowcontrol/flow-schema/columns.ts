import { ageColumn, column, nameColumn, objectAge, type TableDefinition } from "@gatehouse/apiserver/tables";
import { conditionOfType, integerAt, isSet, listAt, textAt } from "@gatehouse/envelopes/json";

/** Table columns of FlowSchema: its priority level; rows are in the order in which schemas are tried. */
export const flowSchemaColumns: TableDefinition = {
  columns: [
    nameColumn,
    column("PriorityLevel", "string", "Priority level of the requests that match."),
    column("MatchingPrecedence", "string", "Lower numbers are tried first."),
    column("DistinguisherMethod", "string", "How matching requests are divided into flows."),
    ageColumn,
    column("MissingPL", "string", "Whether the priority level does not exist."),
  ],
  cells(object, context) {
    const dangling = conditionOfType(listAt(object, "status", "conditions"), "Dangling");
    return [
      textAt(object, "metadata", "name"),
      textAt(object, "spec", "priorityLevelConfiguration", "name"),
      integerAt(object, "spec", "matchingPrecedence"),
      isSet(object, "spec", "distinguisherMethod") ? textAt(object, "spec", "distinguisherMethod", "type") : "<none>",
      objectAge(object, context),
      dangling === undefined ? "?" : textAt(dangling, "status"),
    ];
  },
  // Schemas are shown in the order in which they are tried.
  compare(a, b) {
    const precedence =
      Number(integerAt(a, "spec", "matchingPrecedence")) - Number(integerAt(b, "spec", "matchingPrecedence"));
    if (precedence !== 0) {
      return precedence;
    }
    const nameA = textAt(a, "metadata", "name");
    const nameB = textAt(b, "metadata", "name");
    return nameA < nameB ? -1 : nameA > nameB ? 1 : 0;
  },
};
