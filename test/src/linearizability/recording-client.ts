import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { isWhole, sumOf } from "../crash/recorded-write.js";
import type { Answer, ApiClient } from "../spec/support/api-client.js";
import type { ApiDocument } from "../spec/support/api-document.js";
import { versionOf } from "../spec/support/fixtures.js";
import type { RecordedHistory } from "./recorded-history.js";
import type { RegisterOperation } from "./register-operation.js";

/** Parts of a collection that is written to. */
export interface HistoryTarget {
  /** The path of a collection of ConfigMaps. */
  readonly collection: string;
  /** Connections to servers, or to workers of one; each request takes any of them. */
  readonly connections: readonly ApiClient[];
}

type Request = Pick<RegisterOperation, "kind" | "expected" | "value">;

/** Answers that say nothing about whether a write has happened. */
const unknownStatuses = new Set([429, 500, 503, 504]);
const pauseAfterFailureMs = 20;
let values = 0;

/** Reads and writes the objects of a history, one request at a time, until `isOver`. */
export async function runClient(target: HistoryTarget, history: RecordedHistory, isOver: () => boolean): Promise<void> {
  const seen = new Map<string, number>();
  while (!isOver()) {
    if (Math.random() < 0.05) {
      await list(target, history);
      continue;
    }
    const name = oneOf(history.names);
    const request = randomRequest(seen.get(name));
    const version = await perform({ target, history, name }, request);
    if (version !== undefined) {
      seen.set(name, version);
    }
  }
}

/** Chooses a request; `seen` is the version that the client has last seen, which may be an old one. */
function randomRequest(seen: number | undefined): Request {
  const choice = Math.random();
  if (choice < 0.45) {
    return { kind: "get" };
  }
  const value = String(values++);
  if (choice < 0.6) {
    return { kind: "create", value };
  }
  if (choice < 0.88) {
    return { kind: "update", value, expected: choice < 0.82 ? seen : undefined };
  }
  return { kind: "delete", expected: choice < 0.94 ? seen : undefined };
}

/** Sends a request and records its outcome. Resolves to the version that it was told. */
async function perform(
  { target, history, name }: { target: HistoryTarget; history: RecordedHistory; name: string },
  request: Request,
): Promise<number | undefined> {
  const calledAt = history.now();
  const answer = await answerOf(send(target, name, request));
  const returnedAt = history.now();
  if (answer === "not sent") {
    return undefined;
  }
  const outcome = outcomeOf(request, answer);
  const { kind } = request;
  history.count(`${kind} ${answer === "lost" ? answer : answer.status}`);
  if (outcome !== "ok") {
    if (outcome !== "unknown" || kind !== "get") {
      history.add(name, { ...request, outcome, calledAt, returnedAt });
    }
    if (outcome === "unknown") {
      await sleep(pauseAfterFailureMs);
    }
    return undefined;
  }
  if (kind === "delete" || answer === "lost") {
    history.add(name, { ...request, outcome, calledAt, returnedAt });
    return undefined;
  }
  const told = contentOf(answer.document);
  assert.ok(kind === "get" || told.value === request.value, `a write was answered with another: ${answer.text}`);
  history.add(name, { ...request, ...told, outcome, calledAt, returnedAt });
  return told.version;
}

function send({ collection, connections }: HistoryTarget, name: string, request: Request): Promise<Answer> {
  const client = oneOf(connections);
  const path = `${collection}/${name}`;
  const resourceVersion = request.expected === undefined ? {} : { resourceVersion: String(request.expected) };
  const { value = "" } = request;
  const written = { metadata: { name, ...resourceVersion }, data: { value, sum: sumOf(value) } };
  switch (request.kind) {
    case "get":
      return client.get(path);
    case "create":
      return client.post(collection, written);
    case "update":
      return client.put(path, written);
    case "delete":
      return client.delete(path, { kind: "DeleteOptions", apiVersion: "v1", preconditions: resourceVersion });
  }
}

/** Lists the collection; the list is a read of each object, and of the whole at one version. */
async function list({ collection, connections }: HistoryTarget, history: RecordedHistory): Promise<void> {
  const calledAt = history.now();
  const answer = await answerOf(oneOf(connections).get(collection));
  const returnedAt = history.now();
  if (answer === "not sent") {
    return;
  }
  history.count(`list ${answer === "lost" ? answer : answer.status}`);
  if (answer === "lost" || answer.status !== 200) {
    assert.ok(answer === "lost" || unknownStatuses.has(answer.status), answer === "lost" ? "" : answer.text);
    return sleep(pauseAfterFailureMs);
  }
  const found = new Map(answer.document.items.map((item) => [item.metadata.name ?? "", contentOf(item)]));
  for (const name of history.names) {
    const told = found.get(name);
    const outcome = told === undefined ? "missing" : "ok";
    history.add(name, { kind: "get", ...told, outcome, calledAt, returnedAt });
  }
  history.lists.push({
    version: Number(versionOf(answer.document)),
    items: new Map([...found].map(([name, { version }]) => [name, version])),
  });
}

/** Resolves to the answer, or to why there is none: a request that was refused at the port has had no effect. */
async function answerOf(sent: Promise<Answer>): Promise<Answer | "lost" | "not sent"> {
  try {
    return await sent;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ECONNREFUSED") {
      await sleep(pauseAfterFailureMs);
      return "not sent";
    }
    return "lost";
  }
}

function outcomeOf({ kind }: Request, answer: Answer | "lost"): RegisterOperation["outcome"] {
  if (answer === "lost" || unknownStatuses.has(answer.status)) {
    return "unknown";
  }
  if (answer.status === 200 || answer.status === 201) {
    return "ok";
  }
  if (answer.status === 404 && kind !== "create") {
    return "missing";
  }
  const reason = kind === "create" ? "AlreadyExists" : "Conflict";
  assert.ok(answer.status === 409 && answer.document["reason"] === reason, `${kind}: ${answer.status} ${answer.text}`);
  return "conflict";
}

function contentOf(document: ApiDocument): { readonly value: string; readonly version: number } {
  assert.ok(isWhole(document.data), `a half-written object: ${JSON.stringify(document)}`);
  return { value: document.data?.["value"] ?? "", version: Number(versionOf(document)) };
}

function oneOf<T>(items: readonly T[]): T {
  return items[Math.floor(Math.random() * items.length)] as T;
}
