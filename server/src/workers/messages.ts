import type { JsonValue } from "@gatehouse/envelopes/json";

/** A question to workers; `topic` names the part that answers. */
export interface Question {
  readonly type: "ask";
  readonly id: number;
  readonly topic: string;
  readonly body: JsonValue;
}

/**
 * The recipients of a question: all other workers, the one that runs the controllers unless it asks itself, or the
 * parent. The answers of workers come as a list.
 */
export interface Recipients {
  readonly to: "others" | "leader" | "parent";
}

/** The answer to a question. */
export interface Answer {
  readonly type: "answer";
  readonly id: number;
  readonly body: JsonValue;
}

/** A message of the parent to a worker. */
export type ToWorker =
  /** Connections come on this port from now on; all workers encrypt TLS session tickets with the same keys (base64). */
  | { readonly type: "listening"; readonly port: number; readonly ticketKeys: string }
  /** The port could not be opened. */
  | { readonly type: "not-listening"; readonly code: string; readonly message: string }
  /** A connection, which comes with the message. */
  | { readonly type: "connection"; readonly id: number }
  /** The worker runs the controllers from now on; `identity` is the name of the server among others on the same store. */
  | { readonly type: "lead"; readonly identity: string }
  /** A fact, which a worker has announced, holds for the whole server. */
  | { readonly type: "fact"; readonly name: string }
  /** A word of another worker to all. */
  | { readonly type: "told"; readonly topic: string }
  /** A heartbeat, which the worker answers with `alive`. */
  | { readonly type: "beat" }
  /** The worker finishes what is under way, and ends. */
  | { readonly type: "stop" }
  | Question
  | Answer;

/** A message of a worker to the parent. */
export type FromWorker =
  /** The worker can take connections of this address. */
  | { readonly type: "listen"; readonly host: string; readonly port: number }
  /** The worker serves. */
  | { readonly type: "serving" }
  /** The worker has the connection, so that the parent can let go of it. */
  | { readonly type: "taken"; readonly id: number }
  /** A connection of the worker is closed. */
  | { readonly type: "closed" }
  | { readonly type: "fact"; readonly name: string }
  /** The answer to a heartbeat. */
  | { readonly type: "alive" }
  /** A word to all other workers that serve. */
  | { readonly type: "tell"; readonly topic: string }
  /** The worker gives a lock back, which it has asked the parent for. */
  | { readonly type: "unlock"; readonly name: string }
  | (Question & Recipients)
  | Answer;
