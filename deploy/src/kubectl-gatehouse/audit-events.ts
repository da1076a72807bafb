import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { CommandError } from "@gatehouse/component-base/errors";
import { SinkClient } from "@gatehouse/component-base/sink-client";
import { isJsonObject } from "@gatehouse/envelopes/json";
import type { auditV1 } from "@gatehouse/envelopes/types";
import { refuseFolder } from "./refuse-folder.js";

/** Source of audit events. */
export interface AuditEventsOptions {
  /** A file of JSON lines, `-` for the standard input, or the address of an audit sink. */
  readonly from: string;
  readonly user: string;
  /** Proves to a sink who asks. */
  readonly tokenFile?: string;
  /** Authorities that may have signed the sink's certificate. */
  readonly caFile?: string;
  /** Earliest time of events from a sink: a duration or a time, as the sink's `from` parameter takes it. */
  readonly since?: string;
}

/** The events of a user, whoever keeps them; a file may yield those of others, too. Throws CommandError. */
export function auditEvents(options: AuditEventsOptions): AsyncIterable<auditV1.Event> {
  if (options.from.startsWith("http://")) {
    throw new CommandError("an audit sink is asked over https: events and tokens are not for everybody on the way");
  }
  return options.from.startsWith("https://") ? eventsOfSink(options) : eventsOfFile(options.from);
}

async function* eventsOfFile(path: string): AsyncIterable<auditV1.Event> {
  if (path !== "-") {
    await refuseFolder(path);
  }
  const input = path === "-" ? process.stdin : createReadStream(path);
  let line = 0;
  for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    line++;
    if (text.trim() !== "") {
      yield parseEvent(text, `${path}, line ${line}`);
    }
  }
}

function parseEvent(text: string, place: string): auditV1.Event {
  let event: unknown;
  try {
    event = JSON.parse(text);
  } catch {
    throw new CommandError(`${place}: is not JSON`);
  }
  if (!isEvent(event)) {
    throw new CommandError(`${place}: is no audit event: it must have a verb, a requestURI, a stage and a user`);
  }
  return event;
}

function isEvent(value: unknown): value is auditV1.Event {
  return (
    isJsonObject(value) &&
    typeof value["verb"] === "string" &&
    typeof value["requestURI"] === "string" &&
    typeof value["stage"] === "string" &&
    isJsonObject(value["user"])
  );
}

async function* eventsOfSink({
  from,
  user,
  tokenFile,
  caFile,
  since,
}: AuditEventsOptions): AsyncIterable<auditV1.Event> {
  const config = {
    server: new URL(from),
    insecureSkipTlsVerify: false,
    ...(caFile === undefined ? {} : { certificateAuthorityPem: await readFile(caFile, "utf8") }),
    ...(tokenFile === undefined ? {} : { authorization: { kind: "tokenFile" as const, path: tokenFile } }),
  };
  using client = new SinkClient(config, "kubectl-gatehouse");
  // As themselves, and as whom others have acted.
  for (const field of ["user", "impersonatedUser"]) {
    const query = new URLSearchParams({ [field]: user, ...(since === undefined ? {} : { from: since }) });
    for await (const { event } of client.events(query, undefined)) {
      yield event;
    }
  }
}
