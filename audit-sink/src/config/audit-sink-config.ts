import type { auditV1 } from "@gatehouse/envelopes/types";
import type { OutputConfig } from "./output-config.js";

/** An AuditSinkConfiguration that has been checked, with defaults filled in: paths absolute, times in ms, sizes in bytes. */
export interface AuditSinkConfig {
  readonly serving: ServingConfig;
  readonly senders: readonly PartyConfig[];
  readonly anySender: boolean;
  readonly readers: readonly PartyConfig[];
  readonly anyReader: boolean;
  readonly intake: IntakeConfig;
  readonly log: LogConfig;
  /** Time in milliseconds after which a missing sequence number is reported. */
  readonly gapAfterMs: number;
  readonly pipelines: readonly PipelineConfig[];
  readonly index: IndexConfig | undefined;
  readonly console: ConsoleConfig;
}

/** Colours by which consoles can be told apart. All of them are in the page's style sheet. */
export const consoleAccents = ["teal", "indigo", "violet", "magenta", "slate"] as const;

/** The appearance of the console, and its texts for those who log in. Texts are empty where nothing is said. */
export interface ConsoleConfig {
  readonly clusterName: string;
  readonly accent: (typeof consoleAccents)[number];
  readonly tokenHint: string;
}

/** Address and files for serving HTTPS. */
export interface ServingConfig {
  readonly host: string;
  readonly port: number;
  readonly certFile: string;
  readonly keyFile: string;
  readonly clientCaFile: string | undefined;
}

/** A sender or reader, and how it is authenticated. */
export interface PartyConfig {
  readonly name: string;
  readonly commonNames: readonly string[];
  readonly tokenFile: string | undefined;
}

/** Bounds of what is taken in. */
export interface IntakeConfig {
  readonly maxBodyBytes: number;
  readonly maxEventBytes: number;
  readonly maxPendingBytes: number;
  readonly requestTimeoutMs: number;
  /** Events. */
  readonly duplicateWindow: number;
}

/** The durable log: where, and how much of it is kept. */
export interface LogConfig {
  readonly directory: string;
  readonly segmentBytes: number;
  /** Retention of delivered events. */
  readonly retention: RetentionConfig;
  /** Retention of undelivered events. */
  readonly undelivered: RetentionConfig;
}

/** Maximum age in milliseconds and size in bytes; `Infinity` for no limit. */
export interface RetentionConfig {
  readonly maxAgeMs: number;
  readonly maxBytes: number;
}

/** One way from the log to an output. */
export interface PipelineConfig {
  readonly name: string;
  /** Checked for its shape. None lets every event through. */
  readonly policy: auditV1.Policy | undefined;
  /** Paths of fields. */
  readonly redact: readonly string[];
  readonly batching: BatchingConfig;
  readonly retry: RetryConfig;
  readonly startAtEnd: boolean;
  readonly output: OutputConfig;
}

/** Limits at which a batch is complete. */
export interface BatchingConfig {
  readonly maxEvents: number;
  readonly maxBytes: number;
  readonly maxWaitMs: number;
}

/** Settings for repeating failed deliveries. */
export interface RetryConfig {
  readonly initialBackoffMs: number;
  readonly maxBackoffMs: number;
  readonly timeoutMs: number;
}

/** The local store that answers questions. */
export interface IndexConfig {
  readonly directory: string;
  readonly retention: RetentionConfig;
}
