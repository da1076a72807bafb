import type { Json, RecordedCase } from "./recorded-case.js";

/** The recorded part of an answer: a refusal as a whole, of an accepted object only the code. */
export type RecordedAnswer = Pick<RecordedCase, "code" | "causes" | "reason" | "message">;

interface Status {
  readonly reason?: string;
  readonly message?: string;
  readonly details?: { readonly causes?: { reason?: string; field?: string; message?: string }[] };
}

/**
 * An answer as a file keeps it. Addresses of memory and identifiers, which v1.29 shows in some errors, are all the same in
 * it, and so are the two kinds of spaces between which v1.29 draws lots when it starts.
 */
export function recordedAnswer(code: number, body: Json): RecordedAnswer {
  if (code < 400) {
    return { code };
  }
  const { reason = "", message = "", details } = body as Status;
  const causes = (details?.causes ?? []).map(
    (cause) => [cause.reason ?? "", cause.field ?? "", withoutChance(cause.message ?? "")] as const,
  );
  const composed = composedMessage(causes);
  return code === 422 && withoutChance(message).endsWith(` is invalid: ${composed}`)
    ? { code, causes }
    : { code, reason, message: withoutChance(message), ...(causes.length > 0 ? { causes } : {}) };
}

/** Returns the message of a Status for its causes: each text once. */
function composedMessage(causes: NonNullable<RecordedCase["causes"]>): string {
  const texts = [...new Set(causes.map(([, field, message]) => `${field}: ${message}`))];
  return texts.length === 1 ? (texts[0] ?? "") : `[${texts.join(", ")}]`;
}

function withoutChance(text: string): string {
  return text
    .replace(/\)\(0x[0-9a-f]+\)/g, ")(0xc000000000)")
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, "UID")
    .replaceAll("\u00a0", " ");
}
