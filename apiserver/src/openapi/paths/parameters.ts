import type { ObjectSchema, Schema } from "@gatehouse/envelopes/schema";
import type { ApiParameter } from "./api-path.js";

function query(name: string, type: ApiParameter["type"], description: string): ApiParameter {
  return { name, in: "query", type, description };
}

function inPath(name: string, description: string): ApiParameter {
  return { name, in: "path", type: "string", description };
}

/** The parameter of every path that answers in JSON. */
export const prettyParameter = query(
  "pretty",
  "string",
  "If 'true', the output is indented. Defaults to 'false' unless the user-agent is a browser or a command-line HTTP tool (curl and wget).",
);

/** The parameter of every path inside a namespace. */
export const namespaceParameter = inPath("namespace", "object name and auth scope, such as for teams and projects");

/** The parameter for the path behind `/proxy/`. */
export const proxyPathParameter = inPath("path", "path to the resource");

/** Returns the parameter for the name of an object; names and descriptions differ by kind. */
export function nameParameter(kind: string): ApiParameter {
  return inPath("name", `name of the ${kind}`);
}

const resourceVersion = query(
  "resourceVersion",
  "string",
  "How recent the answer has to be: unset for the most recent state, 0 for any state the server has, or a version that the answer must not be older than.",
);

const labelSelector = query(
  "labelSelector",
  "string",
  "Restricts the objects to those whose labels match. Defaults to everything.",
);
const fieldSelector = query(
  "fieldSelector",
  "string",
  "Restricts the objects to those whose fields match. Defaults to everything.",
);
const limit = query(
  "limit",
  "integer",
  "The most items to return at once. If there are more, metadata.continue of the answer holds a token for the next request.",
);
const continueToken = query(
  "continue",
  "string",
  "The token of the answer that this request continues. The other parameters have to be the same. When the token has expired (410), start again without it.",
);
const resourceVersionMatch = query(
  "resourceVersionMatch",
  "string",
  "How resourceVersion is meant: Exact or NotOlderThan. Only to be set together with resourceVersion.",
);
const sendInitialEvents = query(
  "sendInitialEvents",
  "boolean",
  "If true, a watch starts with an event for every object that exists, and a bookmark behind them. Requires resourceVersionMatch=NotOlderThan.",
);
const timeoutSeconds = query("timeoutSeconds", "integer", "How long a list or watch may last, in seconds.");
const watch = query("watch", "boolean", "Stream changes of the described objects as add, update and remove events.");
const allowWatchBookmarks = query(
  "allowWatchBookmarks",
  "boolean",
  "Asks for events of type BOOKMARK, which tell how far a watch has come. Servers may send none. Ignored unless this is a watch.",
);

/** Parameters of a GET of a collection. */
export const listParameters: readonly ApiParameter[] = [
  allowWatchBookmarks,
  continueToken,
  fieldSelector,
  labelSelector,
  limit,
  resourceVersion,
  resourceVersionMatch,
  sendInitialEvents,
  timeoutSeconds,
  watch,
];

/** Parameters of a GET of one custom object; v1.29 lists none for built-in ones. */
export const readParameters: readonly ApiParameter[] = [resourceVersion];

const dryRun = query(
  "dryRun",
  "string",
  "When present, nothing is stored. The only valid value is All: every stage of the request is carried out but the last.",
);
const fieldManager = query(
  "fieldManager",
  "string",
  "A name for who makes the changes: at most 128 printable characters. Taken from the user agent when absent, except for apply patches, which require it.",
);
const fieldValidation = query(
  "fieldValidation",
  "string",
  "What the server does about unknown or duplicate fields: Ignore drops them, Warn (the default) drops them and sends a warning for each, Strict rejects the request.",
);
const force = query("force", "boolean", "Only for apply patches: take over fields that conflict with other managers.");

/** Parameters of POST. */
export const createParameters: readonly ApiParameter[] = [dryRun, fieldManager, fieldValidation];
/** Parameters of PUT. */
export const updateParameters = createParameters;
/** Parameters of PATCH. */
export const patchParameters: readonly ApiParameter[] = [...createParameters, force];

const gracePeriodSeconds = query(
  "gracePeriodSeconds",
  "integer",
  "Seconds until the object is deleted, not negative; 0 means at once. The kind of object has a default.",
);
const orphanDependents = query(
  "orphanDependents",
  "boolean",
  "Deprecated: use propagationPolicy. Whether dependents are kept and lose their owner.",
);
const propagationPolicy = query(
  "propagationPolicy",
  "string",
  "What becomes of dependents: Orphan, Background or Foreground. The kind of object has a default.",
);

/** Parameters of DELETE on one object. */
export const deleteParameters: readonly ApiParameter[] = [
  dryRun,
  gracePeriodSeconds,
  orphanDependents,
  propagationPolicy,
];

/** Parameters of DELETE on a collection: it may be limited to some of its objects, as when read. */
export const deleteCollectionParameters: readonly ApiParameter[] = [
  ...deleteParameters,
  continueToken,
  fieldSelector,
  labelSelector,
  limit,
  resourceVersion,
  resourceVersionMatch,
  sendInitialEvents,
  timeoutSeconds,
];

/**
 * Returns the members of an options kind (PodLogOptions, PodExecOptions) as they stand in a query. As in v1.29, times are
 * left out, and a list has the type of its items.
 */
export function optionParameters(schema: Pick<ObjectSchema, "properties">): readonly ApiParameter[] {
  return [...schema.properties.values()]
    .filter(({ name, schema: { type } }) => name !== "kind" && name !== "apiVersion" && type !== "object")
    .filter(({ schema: member }) => !(member.type === "scalar" && member.scalar === "time"))
    .map(({ name, schema: member, description }) => query(name, parameterType(member), description));
}

function parameterType(schema: Schema): ApiParameter["type"] {
  if (schema.type === "list") {
    return parameterType(schema.items);
  }
  if (schema.type === "scalar") {
    if (schema.scalar === "boolean") {
      return "boolean";
    }
    if (schema.scalar === "int32" || schema.scalar === "int64") {
      return "integer";
    }
  }
  return "string";
}
