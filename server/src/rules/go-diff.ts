import type { JsonValue } from "@gatehouse/envelopes";

/** The difference of two values of a message as v1.29 shows it. */
export function goDiff(message: string, _old: JsonValue | undefined, _next: JsonValue | undefined): string {
  return message;
}
