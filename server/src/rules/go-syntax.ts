import type { JsonValue } from "@gatehouse/envelopes";

/** A value of a message as Go prints it. */
export function goSyntax(message: string, value: JsonValue | undefined): string {
  return `${message} ${JSON.stringify(value)}`;
}

export function goSyntaxOfList(message: string, list: JsonValue | undefined): string {
  return `[]${message} ${JSON.stringify(list)}`;
}
