/** Facts about a span; their names are those of OpenTelemetry, or of v1.29. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** A span of a request that is traced. */
export interface RequestTrace {
  /** The span as a header for other servers (W3C Trace Context). */
  readonly traceparent: string;
  /** Starts a span below this one. */
  start(name: string, attributes?: SpanAttributes): RequestTrace;
  /** Ends the span, as failed if there is an error. */
  end(error?: unknown, attributes?: SpanAttributes): void;
}

/** Runs work in a span below `trace`, if there is one. */
export async function inSpan<T>(
  trace: RequestTrace | undefined,
  name: string,
  work: (span: RequestTrace | undefined) => Promise<T>,
  attributes?: SpanAttributes,
): Promise<T> {
  if (trace === undefined) {
    return work(undefined);
  }
  const span = trace.start(name, attributes);
  try {
    const result = await work(span);
    span.end();
    return result;
  } catch (error) {
    span.end(error);
    throw error;
  }
}
