import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createInterface } from "node:readline";
import { type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { isJsonObject } from "@gatehouse/envelopes/json";
import type { auditV1 } from "@gatehouse/envelopes/types";
import type { CommandIo } from "../commands/command.js";
import { progressBar } from "../commands/progress-bar.js";
import { ConfigurationError } from "../errors.js";
import { problemAt } from "../problems/problem.js";

/** An event, and its length as it stands in the file. */
export interface FileEvent {
  readonly event: auditV1.Event;
  readonly bytes: number;
}

/**
 * The events of a file of JSON lines, packed when its name ends in `.gz`; `-` is the standard input. Throws
 * ConfigurationError for a file that cannot be read, and a line that is no event. `flag` is the flag that names the file.
 */
export async function* eventsOfFile(path: string, io: CommandIo, flag = "--file"): AsyncGenerator<FileEvent, void> {
  const source: Readable = path === "-" ? process.stdin : createReadStream(path);
  const size =
    path === "-"
      ? 0
      : await stat(path).then(
          ({ size: bytes }) => bytes,
          () => 0,
        );
  const progress = progressBar(size, io);
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      progress.advance(chunk.length);
      done(null, chunk);
    },
  });
  const unpacked = path.endsWith(".gz") ? createGunzip() : undefined;
  const input: Readable = unpacked ?? counted;
  const flowing = unpacked === undefined ? pipeline(source, counted) : pipeline(source, counted, unpacked);
  // Told by the lines, which end early.
  flowing.catch(() => undefined);
  let line = 0;
  try {
    for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      line++;
      if (text.trim() !== "") {
        yield { event: parseEvent(text, `${path}, line ${line}`), bytes: Buffer.byteLength(text) };
      }
    }
    await flowing;
  } catch (error) {
    if (error instanceof Error && "code" in error) {
      throw new ConfigurationError("flags", [problemAt(flag, `${path} cannot be read (${String(error.code)})`)]);
    }
    throw error;
  } finally {
    source.destroy();
  }
}

function parseEvent(text: string, place: string): auditV1.Event {
  let event: unknown;
  try {
    event = JSON.parse(text);
  } catch {
    throw new ConfigurationError("events", [problemAt(place, "is not JSON")]);
  }
  if (!isJsonObject(event) || typeof event["requestURI"] !== "string" || !isJsonObject(event["user"])) {
    throw new ConfigurationError("events", [problemAt(place, "is no audit event")]);
  }
  return event as unknown as auditV1.Event;
}
