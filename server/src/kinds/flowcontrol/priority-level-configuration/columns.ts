import { ageColumn, column, nameColumn, objectAge, type TableDefinition } from "@gatehouse/apiserver/tables";
import { integerAt, isSet, objectAt, textAt } from "@gatehouse/envelopes/json";

/** Table columns of PriorityLevelConfiguration: its share of the server and its queues. */
export const priorityLevelConfigurationColumns: TableDefinition = {
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
