import { SelectorError } from "@gatehouse/envelopes/errors";
import {
  type FieldSelector,
  type LabelSelector,
  parseFieldSelector,
  parseLabelSelector,
  resolveFieldLabels,
} from "@gatehouse/envelopes/selectors";
import { badRequest, type FieldError, fieldError, invalid } from "@gatehouse/envelopes/status";
import type { ServedResource } from "../registry/served-resource.js";
import type { RequestContext } from "../request/request-context.js";
import { isTrue } from "../request/request-info.js";
import { parseInteger } from "./parse-integer.js";
import { parseResourceVersion } from "./resource-version.js";

/** The ListOptions of meta/v1 for a list or a watch. */
export interface ListOptions {
  readonly labelSelector: LabelSelector | undefined;
  readonly fieldSelector: FieldSelector | undefined;
  /** The requested version; undefined when unset. */
  readonly resourceVersion: number | undefined;
  /**
   * True if the state must be read from the store, since the cache alone cannot answer (Kubernetes API concepts,
   * "Resource versions").
   */
  readonly fromStore: boolean;
  readonly resourceVersionMatch: "Exact" | "NotOlderThan" | undefined;
  /** The largest number of items on a page; 0 means no limit. */
  readonly limit: number;
  readonly continueToken: string;
  readonly timeoutSeconds: number | undefined;
  readonly allowWatchBookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
}

/** Reads and checks the options of a list or watch. */
export function parseListOptions(
  context: RequestContext,
  served: ServedResource,
  isWatch: boolean,
  watchListEnabled: boolean,
): ListOptions {
  const { query } = context;
  // Unreadable options are reported before invalid combinations.
  const timeoutSeconds = parseInteger(query.get("timeoutSeconds"));
  const limit = Math.max(0, parseInteger(query.get("limit")) ?? 0);
  const { labelSelector, fieldSelector } = refusingMisshapen(() => parseSelectors(query));
  const version = query.get("resourceVersion") ?? "";
  let match = query.get("resourceVersionMatch") ?? "";
  const continueToken = query.get("continue") ?? "";
  let sendInitialEvents = parseOptionalBoolean(query.get("sendInitialEvents"));
  // A watch by its path (`/api/v1/watch/...`) follows the rules of lists, as in v1.29, unless its query asks for it as well.
  const hasWatchRules = isWatch && isTrue(query.get("watch"));
  if (hasWatchRules && watchListEnabled && sendInitialEvents === undefined && match === "") {
    // With the gate on, v1.29 lets watches from no particular version be streaming lists by themselves.
    if (version === "" || version === "0") {
      sendInitialEvents = true;
      match = "NotOlderThan";
    }
  }
  const errors = validate({ hasWatchRules, watchListEnabled, version, match, continueToken, sendInitialEvents });
  if (errors.length > 0) {
    throw invalid({ group: "meta.k8s.io", kind: "ListOptions" }, "", errors);
  }
  const resolvedFields =
    fieldSelector && refusingMisshapen(() => resolveFieldLabels(fieldSelector, served.fieldLabels));
  if (isWatch) {
    checkSelectsNamed(context.info.parts[1], resolvedFields);
  }
  const isPage = limit > 0 && version !== "0";
  const isUncached = served.isStored && !served.storage.hasWatchCache;
  const fromStore = isUncached || continueToken !== "" || version === "" || match === "Exact" || isPage;
  return {
    labelSelector,
    fieldSelector: resolvedFields,
    // Watches have no pages: what they are told of one is not looked at.
    resourceVersion:
      version === ""
        ? undefined
        : isWatch
          ? readVersion(version, "", false)
          : readVersion(version, continueToken, fromStore),
    fromStore,
    resourceVersionMatch: match === "" ? undefined : (match as "Exact" | "NotOlderThan"),
    // From the cache everything comes at once: v1.29 has no pages there.
    limit: fromStore ? limit : 0,
    continueToken,
    timeoutSeconds,
    allowWatchBookmarks: isTrue(query.get("allowWatchBookmarks")),
    sendInitialEvents,
  };
}

/** Refuses a field selector that does not name the object which the path of a watch names. */
function checkSelectsNamed(name: string | undefined, selector: FieldSelector | undefined): void {
  if (name !== undefined && selector?.matchesEverything === false && selector.exactValue("metadata.name") !== name) {
    throw badRequest("fieldSelector metadata.name doesn't match requested name");
  }
}

/**
 * Reads the version of a list. That of a continued list is in its token; one stated beside it is refused with the
 * token.
 */
function readVersion(version: string, continueToken: string, fromStore: boolean): number {
  return continueToken !== "" && version !== "0" ? Number.NaN : parseResourceVersion(version, fromStore);
}

/** Reads both selectors, whatever fields they name. */
function parseSelectors(query: URLSearchParams): Pick<ListOptions, "labelSelector" | "fieldSelector"> {
  const labels = query.get("labelSelector") ?? "";
  const fields = query.get("fieldSelector") ?? "";
  return {
    labelSelector: labels === "" ? undefined : parseLabelSelector(labels),
    fieldSelector: fields === "" ? undefined : parseFieldSelector(fields),
  };
}

/**
 * Runs the parsing of a selector, and refuses one that cannot be read, or that has a field the kind cannot be selected
 * by.
 */
function refusingMisshapen<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof SelectorError) {
      throw badRequest(error.message, error);
    }
    throw error;
  }
}

interface RawOptions {
  readonly hasWatchRules: boolean;
  readonly watchListEnabled: boolean;
  readonly version: string;
  readonly match: string;
  readonly continueToken: string;
  readonly sendInitialEvents: boolean | undefined;
}

/** Checks which options may be combined (Kubernetes API concepts, "Resource versions"). */
function validate(options: RawOptions): FieldError[] {
  return options.hasWatchRules ? validateWatch(options) : validateList(options);
}

const matchField = "resourceVersionMatch";
const matchWithContinue = "resourceVersionMatch is forbidden when continue is provided";

function validateList({ version, match, continueToken, sendInitialEvents }: RawOptions): FieldError[] {
  const errors: FieldError[] = [];
  if (match !== "") {
    if (version === "") {
      const detail = "resourceVersionMatch is forbidden unless resourceVersion is provided";
      errors.push(fieldError.forbidden(matchField, detail));
    }
    if (continueToken !== "") {
      errors.push(fieldError.forbidden(matchField, matchWithContinue));
    }
    if (match !== "Exact" && match !== "NotOlderThan") {
      errors.push(fieldError.notSupported(matchField, match, ["Exact", "NotOlderThan", ""]));
    }
    if (match === "Exact" && version === "0") {
      errors.push(
        fieldError.forbidden(matchField, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'),
      );
    }
  }
  if (sendInitialEvents !== undefined) {
    errors.push(fieldError.forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
  }
  return errors;
}

/** Watches know a match only together with initial events, which are behind the WatchList gate. */
function validateWatch(options: RawOptions): FieldError[] {
  const { watchListEnabled, match, continueToken, sendInitialEvents } = options;
  const errors: FieldError[] = [];
  if (sendInitialEvents !== undefined) {
    if (match !== "NotOlderThan") {
      const detail = "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan";
      errors.push(fieldError.forbidden(matchField, detail));
    }
    if (!watchListEnabled) {
      const detail = "sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled";
      errors.push(fieldError.forbidden("sendInitialEvents", detail));
    }
  }
  if (match !== "") {
    if (sendInitialEvents === undefined) {
      const detail = "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided";
      errors.push(fieldError.forbidden(matchField, detail));
    }
    if (match !== "NotOlderThan") {
      errors.push(fieldError.notSupported(matchField, match, ["NotOlderThan"]));
    }
    if (continueToken !== "") {
      errors.push(fieldError.forbidden(matchField, matchWithContinue));
    }
  }
  return errors;
}

function parseOptionalBoolean(text: string | null): boolean | undefined {
  return text === null ? undefined : isTrue(text);
}
