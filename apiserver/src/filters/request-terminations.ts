import type { Counter, Labelled, MetricsRegistry } from "@gatehouse/component-base/metrics";
import type { RequestContext } from "../request/request-context.js";
import type { RequestInfo } from "../request/request-info.js";
import { type ObjectLabel, objectLabelNames, objectLabels } from "./request-labels.js";
import type { RequestMetrics } from "./request-metrics.js";

/** The parts of a server that RequestTerminations needs. */
export interface RequestTerminationParts {
  readonly registry: MetricsRegistry;
  readonly requestMetrics: RequestMetrics;
  /** Reports whether the resource and the subresource of a request are served, so that metrics may name them. */
  readonly isServed: (info: RequestInfo) => boolean;
}

/** Counts the requests that a server refuses or gives up to protect itself, under v1.29's name. */
export class RequestTerminations {
  readonly #parts: RequestTerminationParts;
  readonly #total: Labelled<ObjectLabel | "component" | "code", Counter>;

  constructor(parts: RequestTerminationParts) {
    this.#parts = parts;
    this.#total = parts.registry.counter({
      name: "apiserver_request_terminations_total",
      help: "Requests that the server refused or gave up to protect itself, by code of the answer.",
      labelNames: [...objectLabelNames, "component", "code"],
    });
  }

  /** Counts a request that has run out of time. */
  timedOut(context: RequestContext): void {
    this.#count(objectLabels(context, this.#isNamed(context)), "apiserver", 504);
  }

  /** Counts a request that was one too many; v1.29 counts it as answered, too, but does not time it. */
  turnedAway(context: RequestContext): void {
    const labels = objectLabels(context, this.#isNamed(context));
    this.#count(labels, "apiserver", 429);
    this.#parts.requestMetrics.turnedAway(context, labels);
  }

  /**
   * Counts a request for a group of another server that could not be passed on. Its user may ask for the resource, so
   * that metrics name it although nobody here knows whether it exists.
   */
  notPassedOn(context: RequestContext, code: number): void {
    const labels = objectLabels(context, context.info.isResourceRequest);
    const named = context.info.isResourceRequest ? labels : { ...labels, subresource: context.info.path };
    this.#count(named, "aggregator", code);
  }

  #isNamed({ info }: RequestContext): boolean {
    return info.isResourceRequest && this.#parts.isServed(info);
  }

  #count(labels: Readonly<Record<ObjectLabel, string>>, component: string, code: number): void {
    this.#total.labels({ ...labels, component, code: String(code) }).inc();
  }
}
