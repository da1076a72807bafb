import type { Socket } from "node:net";
import type { FileSharing } from "@gatehouse/apiserver/audit";
import type { JsonValue } from "@gatehouse/envelopes/json";
import { type HeartbeatTimes, ParentWatch } from "./heartbeat.js";
import type { Answer, FromWorker, Question, Recipients, ToWorker } from "./messages.js";
import type { WorkerGroup } from "./worker-group.js";
import type { WorkerPlace } from "./worker-place.js";

/** The part of `process` by which a worker talks to its parent. */
export interface ParentChannel {
  /** Sends a message; undefined in a process that no other has started. An error without `done` ends the process. */
  readonly send?:
    | ((message: FromWorker, handle: undefined, options: object, done: (error: Error | null) => void) => unknown)
    | undefined;
  disconnect?(): void;
  on(event: "message", listener: (message: unknown, handle?: unknown) => void): unknown;
  on(event: "disconnect", listener: () => void): unknown;
}

/** The reactions of a worker to the loss of its parent. */
export interface ParentLoss {
  readonly heartbeat: HeartbeatTimes;
  /** Called when the parent is gone. */
  readonly onOrphaned: () => void;
  /** Called when the parent is there, and sends no heartbeats any more. */
  readonly onHung: () => void;
}

/** The link of a worker to its parent, and through it to the other workers. */
export class WorkerLink implements WorkerGroup {
  readonly number: number;
  readonly count: number;
  readonly leading: Promise<string>;
  readonly connections: WorkerGroup["connections"];
  readonly #send: (message: FromWorker) => void;
  readonly #stopping = new AbortController();
  readonly #facts = new Set<string>();
  readonly #listeners = new Map<string, (() => void)[]>();
  readonly #answers = new Map<string, (body: JsonValue) => JsonValue | Promise<JsonValue>>();
  readonly #told = new Map<string, () => void>();
  readonly #parent: ParentWatch;
  readonly #asked = new Map<number, { readonly resolve: (body: JsonValue) => void }>();
  #lead: (identity: string) => void = () => {};
  readonly #disconnect: () => void;
  #hasLeft = false;
  #questions = 0;
  #take: ((connection: Socket) => void) | undefined;
  #listened: ((answer: ToWorker) => void) | undefined;

  /** Throws when the process has no parent to talk to. */
  constructor({ number, count }: WorkerPlace, channel: ParentChannel, { heartbeat, onOrphaned, onHung }: ParentLoss) {
    const { send } = channel;
    if (send === undefined) {
      throw new TypeError("a worker needs a channel to its parent");
    }
    this.number = number;
    this.count = count;
    this.#send = (message) => {
      // What a parent does not take any more is followed by `disconnect`, which ends this process in order.
      send.call(channel, message, undefined, {}, () => {});
    };
    this.leading = new Promise((resolve) => {
      this.#lead = resolve;
    });
    this.connections = { open: (address, take) => this.#open(address, take), stop: () => this.#stopTaking() };
    channel.on("message", (message, handle) => this.#receive(message as ToWorker, handle as Socket | undefined));
    channel.on("disconnect", () => this.#hasLeft || onOrphaned());
    this.#parent = new ParentWatch(heartbeat, onHung);
    this.#disconnect = () => channel.disconnect?.();
  }

  /** The signal that aborts when the parent asks the worker to end. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Lets go of the parent, for a worker that cannot start. */
  leave(): void {
    this.#hasLeft = true;
    this.#parent.stop();
    this.#disconnect();
  }

  /** Tells the parent that this worker serves. */
  serving(): void {
    this.#send({ type: "serving" });
  }

  announce(fact: string): void {
    this.#learn(fact);
    this.#send({ type: "fact", name: fact });
  }

  onFact(fact: string, listener: () => void): void {
    if (this.#facts.has(fact)) {
      listener();
    } else {
      this.#listeners.set(fact, [...(this.#listeners.get(fact) ?? []), listener]);
    }
  }

  tell(topic: string): void {
    this.#send({ type: "tell", topic });
  }

  onTold(topic: string, listener: () => void): void {
    this.#told.set(topic, listener);
  }

  ask(topic: string, body: JsonValue): Promise<readonly JsonValue[]> {
    return this.#askWorkers("others", topic, body);
  }

  askLeader(topic: string, body: JsonValue): Promise<readonly JsonValue[]> {
    return this.#askWorkers("leader", topic, body);
  }

  answer(topic: string, answer: (body: JsonValue) => JsonValue | Promise<JsonValue>): void {
    this.#answers.set(topic, answer);
  }

  renderAll(path: string, own: () => Promise<string>): () => Promise<string> {
    this.answer(metricsTopic(path), own);
    return async () => String(await this.#ask("parent", metricsTopic(path), null));
  }

  shareFile(name: string): FileSharing {
    const topic = `written ${name}`;
    return {
      exclusively: async (work) => {
        await this.#ask("parent", lockTopic(name), null);
        try {
          return await work();
        } finally {
          this.#send({ type: "unlock", name: lockTopic(name) });
        }
      },
      othersHaveWritten: async () => {
        await this.ask(topic, null);
      },
      onWait: (written) =>
        this.answer(topic, async () => {
          await written();
          return null;
        }),
    };
  }

  async #askWorkers(to: "others" | "leader", topic: string, body: JsonValue): Promise<readonly JsonValue[]> {
    const { answers, missing } = (await this.#ask(to, topic, body)) as unknown as Answers;
    if (missing > 0) {
      throw new Error(`${missing} of the other workers did not answer in time (${topic})`);
    }
    return answers;
  }

  #ask(to: Recipients["to"], topic: string, body: JsonValue): Promise<JsonValue> {
    const id = ++this.#questions;
    return new Promise((resolve) => {
      this.#asked.set(id, { resolve });
      this.#send({ type: "ask", id, topic, body, to });
    });
  }

  #receive(message: ToWorker, connection: Socket | undefined): void {
    switch (message.type) {
      case "connection":
        this.#takeConnection(message.id, connection);
        break;
      case "listening":
      case "not-listening":
        this.#listened?.(message);
        break;
      case "lead":
        this.#lead(message.identity);
        break;
      case "fact":
        this.#learn(message.name);
        break;
      case "told":
        this.#told.get(message.topic)?.();
        break;
      case "beat":
        this.#parent.heard();
        this.#send({ type: "alive" });
        break;
      case "stop":
        this.#stopping.abort();
        break;
      case "ask":
        void this.#reply(message);
        break;
      case "answer":
        this.#resolve(message);
        break;
    }
  }

  async #reply({ id, topic, body }: Question): Promise<void> {
    try {
      this.#send({ type: "answer", id, body: (await this.#answers.get(topic)?.(body)) ?? null });
    } catch {
      // Without an answer the asking worker learns in time that one is missing.
    }
  }

  #resolve({ id, body }: Answer): void {
    this.#asked.get(id)?.resolve(body);
    this.#asked.delete(id);
  }

  #learn(fact: string): void {
    if (!this.#facts.has(fact)) {
      this.#facts.add(fact);
      for (const listener of this.#listeners.get(fact) ?? []) {
        listener();
      }
      this.#listeners.delete(fact);
    }
  }

  async #open(
    address: { readonly host: string; readonly port: number },
    take: (connection: Socket) => void,
  ): Promise<{ readonly port: number; readonly ticketKeys: Buffer }> {
    const answer = await new Promise<ToWorker>((resolve) => {
      this.#listened = resolve;
      this.#send({ type: "listen", ...address });
    });
    if (answer.type !== "listening") {
      throw Object.assign(new Error(answer.type === "not-listening" ? answer.message : "the port cannot be opened"), {
        code: answer.type === "not-listening" ? answer.code : "",
        syscall: "listen",
      });
    }
    this.#take = take;
    return { port: answer.port, ticketKeys: Buffer.from(answer.ticketKeys, "base64") };
  }

  #takeConnection(id: number, connection: Socket | undefined): void {
    this.#send({ type: "taken", id });
    // The client may have gone before the connection was handed over.
    if (connection === undefined || this.#take === undefined) {
      connection?.destroy();
      this.#send({ type: "closed" });
      return;
    }
    connection.once("close", () => this.#send({ type: "closed" }));
    this.#take(connection);
  }

  #stopTaking(): void {
    this.#take = undefined;
  }
}

/** The answers of workers, and the number of those that live and have given none. */
export interface Answers {
  readonly answers: readonly JsonValue[];
  readonly missing: number;
}

const lockPrefix = "lock ";

function lockTopic(name: string): string {
  return `${lockPrefix}${name}`;
}

/** Reports whether a question asks the parent for a lock. */
export function isLockTopic(topic: string): boolean {
  return topic.startsWith(lockPrefix);
}

/** Returns the topic of the metrics at a path. */
export function metricsTopic(path: string): string {
  return `metrics ${path}`;
}
