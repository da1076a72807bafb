import { readFile } from "node:fs/promises";
import { type JetStreamClient, jetstream } from "@nats-io/jetstream";
import {
  type ConnectionOptions,
  connect,
  credsAuthenticator,
  type NatsConnection,
  tokenAuthenticator,
} from "@nats-io/transport-node";
import type { NatsOutputConfig } from "../config/output-config.js";
import { documentPieces } from "./event-document.js";
import {
  allDelivered,
  type Delivered,
  EventsRejectedError,
  type Output,
  type OutputContext,
  type OutputEvent,
} from "./output.js";

/** Time limit in milliseconds for the server to store one message. */
const publishTimeoutMs = 10_000;

/**
 * Publishes each event as a message to a stream of NATS JetStream, and waits for the stream to have them all. A message has
 * the same ID each time its event is delivered, so that the stream keeps one within its window of duplicates.
 */
export async function openNatsOutput(config: NatsOutputConfig, context: OutputContext): Promise<Output> {
  return new NatsOutput(await connectionOptions(config, context.pipeline), config.subject, context.pipeline);
}

async function connectionOptions(config: NatsOutputConfig, pipeline: string): Promise<ConnectionOptions> {
  const { servers, caFile, certFile, keyFile, credentialsFile, tokenFile } = config;
  const tls = {
    ...(caFile === undefined ? {} : { caFile }),
    ...(certFile === undefined ? {} : { certFile }),
    ...(keyFile === undefined ? {} : { keyFile }),
  };
  const isSecure = Object.keys(tls).length > 0 || servers.some((server) => server.startsWith("tls://"));
  return {
    servers: [...servers],
    name: `gatehouse-audit-sink/${pipeline}`,
    // A connection that is lost is made anew by the next attempt, which the pipeline times.
    reconnect: false,
    ...(isSecure ? { tls } : {}),
    ...(credentialsFile === undefined ? {} : { authenticator: credsAuthenticator(await readFile(credentialsFile)) }),
    ...(tokenFile === undefined
      ? {}
      : { authenticator: tokenAuthenticator((await readFile(tokenFile, "utf8")).trim()) }),
  };
}

class NatsOutput implements Output {
  readonly #options: ConnectionOptions;
  readonly #subject: string;
  readonly #pipeline: string;
  #connection: NatsConnection | undefined;
  #stream: JetStreamClient | undefined;

  constructor(options: ConnectionOptions, subject: string, pipeline: string) {
    this.#options = options;
    this.#subject = subject;
    this.#pipeline = pipeline;
  }

  async deliver({ events }: { readonly events: readonly OutputEvent[] }, signal: AbortSignal): Promise<Delivered> {
    const { connection, stream } = await this.#connected();
    const maxBytes = connection.info?.max_payload ?? Number.POSITIVE_INFINITY;
    const payloads = events.map(({ bytes }) => Buffer.concat(documentPieces(bytes)));
    // The headers count as well: the ID and its name are shorter than this.
    const isTooLong = payloads.some((payload) => payload.length + 512 > maxBytes);
    if (isTooLong) {
      throw new EventsRejectedError(`a message is longer than the ${maxBytes} bytes that the server takes`);
    }
    signal.throwIfAborted();
    const cut = (): void => void this.#disconnect();
    signal.addEventListener("abort", cut, { once: true });
    try {
      await Promise.all(
        payloads.map((payload, index) =>
          stream.publish(this.#subject, payload, {
            msgID: this.#messageId(events[index] as OutputEvent),
            timeout: publishTimeoutMs,
          }),
        ),
      );
      return allDelivered;
    } catch (error) {
      await this.#disconnect();
      throw error;
    } finally {
      signal.removeEventListener("abort", cut);
    }
  }

  async close(): Promise<void> {
    await this.#disconnect();
  }

  async #connected(): Promise<{ readonly connection: NatsConnection; readonly stream: JetStreamClient }> {
    if (this.#connection === undefined || this.#stream === undefined || this.#connection.isClosed()) {
      this.#connection = await connect(this.#options);
      this.#stream = jetstream(this.#connection);
    }
    return { connection: this.#connection, stream: this.#stream };
  }

  async #disconnect(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    this.#stream = undefined;
    await connection?.close();
  }

  /** Two pipelines may cut the same event to different sizes for the same stream. */
  #messageId({ sender, digest }: OutputEvent): string {
    return `${this.#pipeline}/${encodeURIComponent(sender)}/${Buffer.from(digest, "latin1").toString("hex")}`;
  }
}
