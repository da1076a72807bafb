/** Level of a log line, in order of severity. Our own fault is `error`; a client's fault is `info` at most. */
export type LogLevel = "debug" | "info" | "warn" | "error";

/** Fields beside a message. Objects are excluded on purpose: they carry secrets and have no bound. */
export type LogFields = Readonly<
  Record<string, string | number | bigint | boolean | null | undefined | readonly string[] | Error>
>;

/**
 * Writes one event: a constant message and the facts of this case as fields, named in the field's terms (`auditID`,
 * `verb`, `resource`, `code`). Never throws. Whoever has something to log gets one of these as a parameter.
 */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** Reports whether a level is written at all, for fields that are costly to compute. */
  enabled(level: LogLevel): boolean;
  /** A logger that adds `fields` to each event. */
  child(fields: LogFields): Logger;
}

/** Writes nothing; for tests and for callers without a log. */
export const silentLogger: Logger = Object.freeze({
  debug() {},
  info() {},
  warn() {},
  error() {},
  enabled: () => false,
  child: () => silentLogger,
});
