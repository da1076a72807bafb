/** A field that events can be filtered by. */
export interface FilterField {
  /** Name in the address and in questions to the sink. */
  readonly name: string;
  readonly help: string;
  /** All or the usual values, where they are few; otherwise the sink is asked for the most frequent ones. */
  readonly values?: readonly string[];
  /** Further names of the field that people may type. */
  readonly aliases?: readonly string[];
}

/** All fields, those first that are used most. */
export const filterFields: readonly FilterField[] = [
  { name: "user", help: "who asked: alice, system:node:*" },
  {
    name: "verb",
    help: "create, !watch",
    values: ["get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"],
  },
  { name: "resource", help: "pods, deployments.apps, pods/exec" },
  { name: "namespace", help: "where it was", aliases: ["ns"] },
  { name: "name", help: "name of the object" },
  {
    name: "code",
    help: "answer of the API server: 403, 5*",
    values: ["2*", "4*", "5*", "200", "201", "401", "403", "404", "409", "422", "429", "500"],
    aliases: ["status", "outcome"],
  },
  { name: "decision", help: "of the authorization", values: ["allow", "forbid"] },
  { name: "impersonatedUser", help: "as whom somebody acted", aliases: ["as"] },
  { name: "sourceIP", help: "address of the client", aliases: ["ip", "from"] },
  { name: "auditID", help: "ID of one request", aliases: ["id"] },
  { name: "level", help: "how much is recorded", values: ["Metadata", "Request", "RequestResponse"] },
  {
    name: "stage",
    help: "which moment of a request; * for all",
    values: ["*", "RequestReceived", "ResponseStarted", "ResponseComplete", "Panic"],
  },
  { name: "sender", help: "API server that sent the event" },
];

/** Returns a field by its name or an alias, in any case. */
export function findField(name: string): FilterField | undefined {
  const wanted = name.toLowerCase();
  return filterFields.find(({ name: own, aliases = [] }) => [own.toLowerCase(), ...aliases].includes(wanted));
}
