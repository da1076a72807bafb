import type { JsonObject } from "@gatehouse/envelopes";
import {
  booleanAt,
  conditionOfType,
  integerAt,
  isSet,
  listAt,
  objectAt,
  textAt,
  valueAt,
} from "../objects/json-fields.js";
import { objectAge } from "./duration.js";
import { ageColumn, column, nameColumn, type TableDefinition } from "./table-definition.js";
import { firstN, scalarText } from "./text-lists.js";

const apiService: TableDefinition = {
  columns: [
    nameColumn,
    column("Service", "string", "Service that serves the API, or Local."),
    column("Available", "string", "Whether the API can be reached."),
    ageColumn,
  ],
  cells(object, context) {
    const service = objectAt(object, "spec", "service");
    return [
      textAt(object, "metadata", "name"),
      isSet(object, "spec", "service") ? `${textAt(service, "namespace")}/${textAt(service, "name")}` : "Local",
      availability(object),
      objectAge(object, context),
    ];
  },
};

function availability(object: JsonObject): string {
  const available = conditionOfType(listAt(object, "status", "conditions"), "Available");
  if (available === undefined) {
    return "Unknown";
  }
  const status = textAt(available, "status");
  const reason = textAt(available, "reason");
  return status === "True" || reason === "" ? status : `${status} (${reason})`;
}

export const apiregistrationTables: Readonly<Record<string, TableDefinition>> = { APIService: apiService };

const lease: TableDefinition = {
  columns: [nameColumn, column("Holder", "string", "Who holds the lease."), ageColumn],
  cells(object, context) {
    return [textAt(object, "metadata", "name"), textAt(object, "spec", "holderIdentity"), objectAge(object, context)];
  },
};

export const coordinationTables: Readonly<Record<string, TableDefinition>> = { Lease: lease };

const runtimeClass: TableDefinition = {
  columns: [nameColumn, column("Handler", "string", "Configuration of the container runtime."), ageColumn],
  cells(object, context) {
    return [textAt(object, "metadata", "name"), textAt(object, "handler"), objectAge(object, context)];
  },
};

export const nodeTables: Readonly<Record<string, TableDefinition>> = { RuntimeClass: runtimeClass };

const priorityClass: TableDefinition = {
  columns: [
    nameColumn,
    column("Value", "integer", "Priority of pods of the class."),
    column("Global-Default", "boolean", "Whether pods without a class get this one."),
    ageColumn,
  ],
  cells(object, context) {
    return [
      textAt(object, "metadata", "name"),
      integerAt(object, "value"),
      booleanAt(object, "globalDefault"),
      objectAge(object, context),
    ];
  },
};

export const schedulingTables: Readonly<Record<string, TableDefinition>> = { PriorityClass: priorityClass };

const storageVersion: TableDefinition = {
  columns: [
    nameColumn,
    column("CommonEncodingVersion", "string", "Version in which all servers store the resource."),
    column("StorageVersions", "string", "Version in which each server stores the resource."),
    ageColumn,
  ],
  cells(object, context) {
    const versions = listAt(object, "status", "storageVersions").map(
      (version) => `${textAt(version, "apiServerID")}=${textAt(version, "encodingVersion")}`,
    );
    return [
      textAt(object, "metadata", "name"),
      scalarText(valueAt(object, "status", "commonEncodingVersion"), "<unset>"),
      firstN(3, versions) || "<unset>",
      objectAge(object, context),
    ];
  },
};

export const internalTables: Readonly<Record<string, TableDefinition>> = { StorageVersion: storageVersion };

const status: TableDefinition = {
  columns: [
    column("Status", "string", "Success or Failure."),
    column("Reason", "string", "Machine-readable cause of a failure."),
    column("Message", "string", "What happened, for people."),
  ],
  cells(object) {
    return [textAt(object, "status"), textAt(object, "reason"), textAt(object, "message")];
  },
};

export const metaTables: Readonly<Record<string, TableDefinition>> = { Status: status };
