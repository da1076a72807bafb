import {
  type Attributes,
  type Link,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-grpc";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from "@opentelemetry/sdk-trace-base";
import type { RequestTrace, SpanAttributes } from "../request/request-trace.js";
import type { TracingConfiguration } from "./tracing-configuration.js";

/** Traces requests, and sends their spans to a collector. Disposal sends what is left. */
export interface Tracing extends AsyncDisposable {
  /**
   * Begins the trace of a request; undefined for one that is not traced. The trace of the client, which its
   * `traceparent` names, is linked and not continued, as in v1.29: clients do not decide what is recorded here.
   */
  begin(name: string, traceparent: string | undefined, attributes: SpanAttributes): RequestTrace | undefined;
}

/** The name of the server in traces. */
export interface TracedService {
  readonly name: string;
  readonly instance: string;
}

/** Opens tracing. Spans that the collector does not take in time are dropped, never waited for. */
export function openTracing(
  { endpoint, samplingRatePerMillion }: TracingConfiguration,
  service: TracedService,
): Tracing {
  const exporter = new OTLPTraceExporter({ url: endpoint });
  const provider = new BasicTracerProvider({
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(samplingRatePerMillion / 1_000_000) }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
    resource: resourceFromAttributes({ "service.name": service.name, "service.instance.id": service.instance }),
  });
  const tracer = provider.getTracer("gatehouse-apiserver");
  return {
    begin(name, traceparent, attributes) {
      const span = tracer.startSpan(
        name,
        { kind: SpanKind.SERVER, root: true, attributes: attributes as Attributes, links: linksOf(traceparent) },
        ROOT_CONTEXT,
      );
      return span.isRecording() ? new SdkTrace(tracer, span) : undefined;
    },
    [Symbol.asyncDispose]: () => provider.shutdown(),
  };
}

/** A span of the SDK. */
class SdkTrace implements RequestTrace {
  readonly #tracer: Tracer;
  readonly #span: Span;

  constructor(tracer: Tracer, span: Span) {
    this.#tracer = tracer;
    this.#span = span;
  }

  get traceparent(): string {
    const { traceId, spanId, traceFlags } = this.#span.spanContext();
    return `00-${traceId}-${spanId}-${(traceFlags & TraceFlags.SAMPLED) === 0 ? "00" : "01"}`;
  }

  start(name: string, attributes: SpanAttributes = {}): RequestTrace {
    const parent = trace.setSpan(ROOT_CONTEXT, this.#span);
    return new SdkTrace(this.#tracer, this.#tracer.startSpan(name, { attributes: attributes as Attributes }, parent));
  }

  end(error?: unknown, attributes: SpanAttributes = {}): void {
    this.#span.setAttributes(attributes as Attributes);
    if (error !== undefined) {
      const message = error instanceof Error ? error.message : String(error);
      this.#span.setStatus({ code: SpanStatusCode.ERROR, message });
    }
    this.#span.end();
  }
}

const traceparentForm = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Returns a link to the span that a `traceparent` header names; none for a header that is none. */
function linksOf(traceparent: string | undefined): Link[] {
  const [, traceId = "", spanId = "", flags = "00"] = traceparentForm.exec(traceparent ?? "") ?? [];
  if (!/[1-9a-f]/.test(traceId) || !/[1-9a-f]/.test(spanId) || traceparent?.startsWith("ff") === true) {
    return [];
  }
  return [{ context: { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true } }];
}
