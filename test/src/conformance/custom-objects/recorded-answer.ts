/** The compared part of an answer: the code, and either the resulting spec or the causes. */
export interface RecordedAnswer {
  readonly code: number;
  readonly spec?: unknown;
  /** `field: message` of each cause, sorted: kube-apiserver walks maps in no particular order. */
  readonly causes?: readonly string[];
  /** Message of an answer without causes. */
  readonly message?: string;
}

interface Body {
  readonly spec?: unknown;
  readonly message?: string;
  readonly details?: { readonly causes?: readonly { readonly field?: string; readonly message?: string }[] };
}

/** The comparable part of an answer. */
export function recordedAnswer(code: number, text: string): RecordedAnswer {
  const { spec, message, details } = JSON.parse(text) as Body;
  if (code < 300) {
    return { code, ...(spec === undefined ? {} : { spec }) };
  }
  const causes = details?.causes?.map((cause) => `${cause.field}: ${cause.message}`).sort();
  return causes === undefined ? { code, ...(message === undefined ? {} : { message }) } : { code, causes };
}
