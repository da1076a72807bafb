import type { ProcessGroup } from "@gatehouse/apiserver/server";
import type { JsonValue } from "@gatehouse/envelopes/json";

/** The workers of a server, as one of them sees the others. */
export interface WorkerGroup extends ProcessGroup {
  /** The number of this worker, from 1; its replacement has the same. */
  readonly number: number;
  /**
   * Resolves when this worker is to run the controllers, which no other does then. The value is the name of the server,
   * by which others on the same store know it; it is the same in all workers.
   */
  readonly leading: Promise<string>;
  /** Tells all workers, those of later too, that something has happened that is never undone. */
  announce(fact: string): void;
  /** Calls `listener` once: when a worker has announced the fact, or at once if one has already. */
  onFact(fact: string, listener: () => void): void;
  /** Tells all other workers that serve something once. */
  tell(topic: string): void;
  /** Calls `listener` each time another worker tells something. One listener for a topic. */
  onTold(topic: string, listener: () => void): void;
  /**
   * Asks all other workers, and resolves to the answers of those that serve; one that still starts is told, and not waited
   * for. Rejects when one serves and does not answer in time.
   */
  ask(topic: string, body: JsonValue): Promise<readonly JsonValue[]>;
  /**
   * Asks the worker that runs the controllers. Resolves without an answer when there is none at the moment, or it is this
   * one. Rejects when it lives and does not answer in time.
   */
  askLeader(topic: string, body: JsonValue): Promise<readonly JsonValue[]>;
  /** Answers the questions of other workers about a topic. */
  answer(topic: string, answer: (body: JsonValue) => JsonValue | Promise<JsonValue>): void;
}
