import type { LogFields } from "./logger.js";

const secretName =
  /^(authorization|cookie|set-?cookie|password|passwd|secret|token|access-?token|id-?token|refresh-?token|bearer|private-?key|key-?pem|api-?key|credentials?)$/i;

/** A bearer token or a private key inside a text, however it got there. Each part of the pattern is bounded. */
const secretText = /\b(bearer|basic)\s+[\w.~+/=-]{8,8192}|-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----/gi;

/** Replaces what looks like a secret: by the name of the field, or by its look inside a text. */
export function redactFields(fields: LogFields): LogFields {
  const result: Record<string, LogFields[string]> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) {
      result[name] = secretName.test(name) ? "[redacted]" : typeof value === "string" ? redactText(value) : value;
    }
  }
  return result;
}

/** The text without anything that looks like a credential. */
export function redactText(text: string): string {
  return text.replace(secretText, (_, scheme: string | undefined) => `${scheme ?? ""} [redacted]`.trimStart());
}
