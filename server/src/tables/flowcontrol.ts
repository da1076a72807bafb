import { conditionOfType, integerAt, isSet, listAt, objectAt, textAt } from "../objects/json-fields.js";
import { objectAge } from "./duration.js";
import { ageColumn, column, nameColumn, type TableDefinition } from "./table-definition.js";

const flowSchema: TableDefinition = {
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
  // Shown in the order in which they are tried.
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

const priorityLevelConfiguration: TableDefinition = {
  columns: [
    nameColumn,
    column("Type", "string", "Whether requests are limited."),
    column("NominalConcurrencyShares", "string", "Share of the concurrency of the server."),
    column("Queues", "string", "Number of queues."),
    column("HandSize", "string", "Number of queues that one flow may use."),
    column("QueueLengthLimit", "string", "Requests that may wait in one queue."),
    ageColumn,
  ],
  cells(object, context) {
    const limited = objectAt(object, "spec", "limited");
    const isLimited = isSet(object, "spec", "limited");
    const queuing = objectAt(limited, "limitResponse", "queuing");
    const hasQueues = isSet(limited, "limitResponse", "queuing");
    return [
      textAt(object, "metadata", "name"),
      textAt(object, "spec", "type"),
      isLimited ? integerAt(limited, "nominalConcurrencyShares") : "<none>",
      hasQueues ? integerAt(queuing, "queues") : "<none>",
      hasQueues ? integerAt(queuing, "handSize") : "<none>",
      hasQueues ? integerAt(queuing, "queueLengthLimit") : "<none>",
      objectAge(object, context),
    ];
  },
};

export const flowcontrolTables: Readonly<Record<string, TableDefinition>> = {
  FlowSchema: flowSchema,
  PriorityLevelConfiguration: priorityLevelConfiguration,
};
