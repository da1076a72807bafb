import { resourceNotFound } from "@gatehouse/envelopes/status";
import type { EventIndex, TailEvent } from "../index-store/event-index.js";
import { decodeCursor, encodeCursor, questionHash } from "./cursor.js";
import { QueryParameters } from "./query-parameters.js";

const defaultLimit = 100;
const maxLimit = 1000;

/** `GET /api/events`: a page of events as JSON, each as it was sent. Throws a StatusError for a question that is none. */
export async function answerEvents(index: EventIndex, query: URLSearchParams, nowMs: number): Promise<Buffer> {
  const parameters = new QueryParameters(query, ["limit", "cursor"], nowMs);
  const filter = parameters.filter();
  const limit = parameters.count("limit", defaultLimit, maxLimit);
  const question = questionHash(query);
  const cursor = query.get("cursor");
  const decoded = cursor === null ? undefined : decodeCursor(cursor, question);
  if (typeof decoded === "string") {
    parameters.refuse("cursor", decoded);
  }
  parameters.assertValid();
  const after = typeof decoded === "string" ? undefined : decoded;
  const { events, next } = await index.find(filter, { limit, ...(after === undefined ? {} : { after }) });
  const pieces: Buffer[] = [Buffer.from('{"items":[')];
  for (const [place, { position, sender, json }] of events.entries()) {
    pieces.push(...itemPieces({ position, sender, json: asBuffer(json) }, place === 0 ? "" : ","));
  }
  const end = next === undefined ? "" : `,"next":${JSON.stringify(encodeCursor(next, question))}`;
  pieces.push(Buffer.from(`]${end}}\n`));
  return Buffer.concat(pieces);
}

/** `GET /api/events/POSITION`: one event. Throws 404 when it is not kept. */
export async function answerEvent(index: EventIndex, position: string): Promise<Buffer> {
  const found = /^\d{1,15}$/.test(position) ? await index.event(Number(position)) : undefined;
  if (found === undefined) {
    throw resourceNotFound();
  }
  return Buffer.concat([...itemPieces({ ...found, json: asBuffer(found.json) }, ""), Buffer.from("\n")]);
}

/** One event with what is known of it beside; its own JSON is not touched. */
export function itemPieces({ position, sender, json }: TailEvent, before: string): Buffer[] {
  return [
    Buffer.from(`${before}{"position":${position},"sender":${JSON.stringify(sender)},"event":`),
    json,
    Buffer.from("}"),
  ];
}

/** Returns bytes from another thread as a Buffer, a class which they lose on the way. */
function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
