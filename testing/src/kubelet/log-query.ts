import type { LogQuery } from "./pod-script.js";

/** A query that a kubelet refuses, with the status and the text of its answer. */
export class LogQueryError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(JSON.stringify({ message }).replace(":", ": "));
    this.status = status;
  }
}

/** Reads the query of `/containerLogs` (PodLogOptions). Throws LogQueryError. */
export function readLogQuery(query: URLSearchParams): LogQuery {
  const sinceSeconds = integer(query, "sinceSeconds");
  const sinceTime = time(query, "sinceTime");
  const tailLines = query.get("tail") === "all" ? undefined : (integer(query, "tail") ?? integer(query, "tailLines"));
  const limitBytes = integer(query, "limitBytes");
  const bothSince = sinceSeconds !== undefined && sinceTime !== undefined;
  if (bothSince || (sinceSeconds ?? 1) < 1 || (tailLines ?? 0) < 0 || (limitBytes ?? 1) < 1) {
    throw new LogQueryError(422, "Invalid request.");
  }
  return {
    follow: isSet(query, "follow"),
    previous: isSet(query, "previous"),
    timestamps: isSet(query, "timestamps"),
    since: sinceSeconds === undefined ? sinceTime : new Date(Date.now() - sinceSeconds * 1000),
    tailLines,
    limitBytes,
  };
}

/** Reads a boolean as the API does: everything but `0` and `false` is true. */
function isSet(query: URLSearchParams, name: string): boolean {
  const value = query.get(name);
  return value !== null && value !== "0" && value.toLowerCase() !== "false";
}

function integer(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name);
  if (value === null || value === "") {
    return undefined;
  }
  if (!/^[-+]?\d{1,15}$/.test(value)) {
    throw new LogQueryError(400, "Unable to decode query.");
  }
  return Number(value);
}

function time(query: URLSearchParams, name: string): Date | undefined {
  const value = query.get(name);
  if (value === null || value === "") {
    return undefined;
  }
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) {
    throw new LogQueryError(400, "Unable to decode query.");
  }
  return date;
}
