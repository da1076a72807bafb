import { stackOfFault } from "./error-stack.js";
import type { LogFields, LogLevel } from "./logger.js";
import { redactText } from "./redact.js";

const colours: Readonly<Record<LogLevel, number>> = { debug: 90, info: 32, warn: 33, error: 31 };

/** One event as a line for people: time, level, message, then `key=value` pairs. Line breaks in values are escaped. */
export function formatTextLine(event: {
  readonly time: Date;
  readonly level: LogLevel;
  readonly name: string;
  readonly message: string;
  readonly fields: LogFields;
  readonly colour: boolean;
}): string {
  const level = event.level.toUpperCase().padEnd(5);
  const shownLevel = event.colour ? `\u001b[${colours[event.level]}m${level}\u001b[0m` : level;
  let line = `${event.time.toISOString()} ${shownLevel} ${event.name}: ${escapeControls(event.message)}`;
  let stack = "";
  for (const [key, value] of Object.entries(event.fields)) {
    if (value instanceof Error) {
      line += ` ${key}=${formatValue(redactText(value.message))}`;
      const trace = event.level === "error" ? stackOfFault(value) : undefined;
      stack += trace === undefined ? "" : `${redactText(trace)}\n`;
    } else {
      line += ` ${key}=${Array.isArray(value) ? formatValue(value.join(",")) : formatValue(String(value))}`;
    }
  }
  return `${line}\n${stack}`;
}

function formatValue(text: string): string {
  return /^[\w./:@+-]+$/.test(text) ? text : JSON.stringify(text);
}

/** Log text may come from a peer; it must not start a line of its own or drive the terminal. */
function escapeControls(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, (character) => JSON.stringify(character).slice(1, -1));
}
