import {
  badRequest,
  type FieldError,
  type FieldSelector,
  fieldError,
  invalid,
  type LabelSelector,
  parseFieldSelector,
  parseLabelSelector,
  SelectorError,
} from "@gatehouse/envelopes";
import { isTrue } from "../../request/request-info.js";
import type { RequestContext } from "../../request/request-context.js";
import type { ServedResource } from "../served-resource.js";
import { parseResourceVersion } from "./resource-version.js";

/** meta/v1 ListOptions of a list or a watch. */
export interface ListOptions {
  readonly labelSelector: LabelSelector | undefined;
  readonly fieldSelector: FieldSelector | undefined;
  /** Undefined when unset. */
  readonly resourceVersion: number | undefined;
  readonly resourceVersionMatch: "Exact" | "NotOlderThan" | undefined;
  /** 0 means no limit. */
  readonly limit: number;
  readonly continueToken: string;
  readonly timeoutSeconds: number | undefined;
  readonly allowWatchBookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
}

/** Reads and checks the options of a list or watch (SPEC "Query parameters"). */
export function parseListOptions(
  context: RequestContext,
  served: ServedResource,
  isWatch: boolean,
  watchListEnabled: boolean,
): ListOptions {
  const { query } = context;
  const version = query.get("resourceVersion") ?? "";
  const match = query.get("resourceVersionMatch") ?? "";
  const continueToken = query.get("continue") ?? "";
  const sendInitialEvents = parseOptionalBoolean(query.get("sendInitialEvents"), "sendInitialEvents");
  const errors = validate({ isWatch, watchListEnabled, version, match, continueToken, sendInitialEvents });
  if (errors.length > 0) {
    throw invalid({ group: "meta.k8s.io", kind: "ListOptions" }, "", errors);
  }
  return {
    ...parseSelectors(context, served),
    resourceVersion: version === "" ? undefined : parseResourceVersion(version),
    resourceVersionMatch: match === "" ? undefined : (match as "Exact" | "NotOlderThan"),
    limit: Math.max(0, parseInteger(query.get("limit")) ?? 0),
    continueToken,
    timeoutSeconds: parseInteger(query.get("timeoutSeconds")),
    allowWatchBookmarks: isTrue(query.get("allowWatchBookmarks")),
    sendInitialEvents,
  };
}

/** Reads both selectors; a field the kind cannot be selected by is refused. */
export function parseSelectors(
  context: RequestContext,
  served: ServedResource,
): Pick<ListOptions, "labelSelector" | "fieldSelector"> {
  const { query, info } = context;
  const labels = query.get("labelSelector") ?? "";
  const fields = query.get("fieldSelector") ?? "";
  try {
    const fieldSelector = fields === "" ? undefined : parseFieldSelector(fields);
    if (fieldSelector !== undefined) {
      checkFields(fieldSelector, served);
      checkName(fieldSelector, info.parts[1] ?? "");
    }
    return { labelSelector: labels === "" ? undefined : parseLabelSelector(labels), fieldSelector };
  } catch (error) {
    if (error instanceof SelectorError) {
      throw badRequest(
        error.isUnsupportedField
          ? `Unable to find ${JSON.stringify(`${served.apiVersion}, Resource=${served.resource}`)} that match label selector ${JSON.stringify(labels)}, field selector ${JSON.stringify(fields)}: ${error.message}`
          : error.message,
        error,
      );
    }
    throw error;
  }
}
