import { writeSync } from "node:fs";
import { createRequire } from "node:module";
import { stackOfFault } from "./error-stack.js";
import type { LogFields, Logger, LogLevel } from "./logger.js";
import { redactFields, redactText } from "./redact.js";
import { formatTextLine } from "./text-format.js";

/** Format, level and destination of a process's log. */
export interface LoggerOptions {
  /** Name of the process, on every line. */
  readonly name: string;
  /** Least level that is written, or a holder of it that can be changed. Default `info`. */
  readonly level?: LogLevel | LogThreshold;
  /** `json` for machines, one object a line; `text` for people. Default `json`. */
  readonly format?: "json" | "text";
  /** Takes finished lines. Default: standard error, written before the call returns, so that a crash loses none. */
  readonly write?: (line: string) => void;
  /** Colours in text format. Default false. */
  readonly colour?: boolean;
  /** Time of a line. Default: the present. */
  readonly now?: () => Date;
}

/** The least level that loggers write, which can be changed while they are in use. */
export interface LogThreshold {
  level: LogLevel;
}

const reservedKeys: ReadonlySet<string> = new Set(["level", "time", "process", "msg"]);

type Emit = (level: LogLevel, message: string, fields: LogFields) => void;

const severity: Readonly<Record<LogLevel, number>> = { debug: 20, info: 30, warn: 40, error: 50 };

/** Makes the logger of a process. pino is loaded for `json` only, which costs about 15 ms. */
export function createLogger(options: LoggerOptions): Logger {
  const emit = options.format === "text" ? textEmitter(options) : jsonEmitter(options);
  const { level = "info" } = options;
  return loggerFrom(emit, typeof level === "string" ? { level } : level, {});
}

function loggerFrom(emit: Emit, threshold: LogThreshold, context: LogFields): Logger {
  const enabled = (level: LogLevel): boolean => severity[level] >= severity[threshold.level];
  const at =
    (level: LogLevel) =>
    (message: string, fields?: LogFields): void => {
      if (enabled(level)) {
        emit(level, message, fields === undefined ? context : { ...context, ...fields });
      }
    };
  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    enabled,
    child: (fields) => loggerFrom(emit, threshold, { ...context, ...fields }),
  };
}

function textEmitter(options: LoggerOptions): Emit {
  const write = options.write ?? writeToStandardError;
  const now = options.now ?? (() => new Date());
  const { name, colour = false } = options;
  return (level, message, fields) => {
    write(
      formatTextLine({ time: now(), level, name, message: redactText(message), fields: redactFields(fields), colour }),
    );
  };
}

function jsonEmitter(options: LoggerOptions): Emit {
  // pino is CommonJS, so it can be loaded here and now, and only by those who need it.
  const { pino } = createRequire(import.meta.url)("pino") as typeof import("pino");
  const now = options.now ?? (() => new Date());
  const logger = pino(
    {
      level: "debug",
      base: { process: options.name },
      messageKey: "msg",
      timestamp: () => `,"time":"${now().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: options.write ?? writeToStandardError },
  );
  return (level, message, fields) => {
    const plain: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(redactFields(fields))) {
      // A field must not repeat one of pino's own keys; `name` is free, since it is the name of an object.
      plain[reservedKeys.has(key) ? `${key}_` : key] =
        value instanceof Error ? plainError(value) : typeof value === "bigint" ? String(value) : value;
    }
    logger[level](plain, redactText(message));
  };
}

/** JSON.stringify shows an Error as `{}`; this keeps what helps, with the causes, to a bounded depth. */
function plainError(error: Error, depth = 0): Record<string, unknown> {
  const stack = stackOfFault(error);
  return {
    type: error.name,
    message: redactText(error.message),
    ...("code" in error && typeof error.code === "string" ? { code: error.code } : {}),
    ...(stack === undefined ? {} : { stack: redactText(stack) }),
    ...(error.cause instanceof Error && depth < 4 ? { cause: plainError(error.cause, depth + 1) } : {}),
  };
}

let problem: Error | undefined;

/** Returns the reason why the last line for standard error could not be written; undefined when it was. */
export function standardErrorProblem(): Error | undefined {
  return problem;
}

function writeToStandardError(line: string): void {
  try {
    writeSync(2, line);
    problem = undefined;
  } catch (error) {
    // A log that cannot be written (closed pipe, full disk) must not take the process down.
    problem = error instanceof Error ? error : new Error(String(error));
  }
}
