import type { Counter, Gauge, Histogram, Labelled, MetricsRegistry } from "@gatehouse/component-base/metrics";
import type { ServedResource } from "../registry/served-resource.js";
import type { RequestContext } from "../request/request-context.js";
import type { VerbMetrics } from "../verbs/verb-environment.js";

type RequestLabel = "verb" | "group" | "version" | "resource" | "subresource" | "scope" | "component";
type DryRunLabel = RequestLabel | "dry_run";

/** The series for one kind of request: found by one map look-up, then only additions. */
interface RequestSeries {
  readonly duration: Histogram;
  readonly sliDuration: Histogram;
  readonly responseSizes: Histogram;
  readonly byCode: Map<number, Counter>;
  readonly labels: Readonly<Record<DryRunLabel, string>>;
}

const durationBuckets = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
];
const sliBuckets = durationBuckets.slice(2);
const sizeBuckets = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];
const watchSizeBuckets = [1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072];

/** The request and watch metrics that v1.29 calls stable, and a few related ones, with its names and labels. */
export class RequestMetrics implements VerbMetrics {
  readonly #total: Labelled<DryRunLabel | "code", Counter>;
  readonly #duration: Labelled<DryRunLabel, Histogram>;
  readonly #sliDuration: Labelled<RequestLabel, Histogram>;
  readonly #responseSizes: Labelled<RequestLabel, Histogram>;
  readonly #longRunning: Labelled<RequestLabel, Gauge>;
  readonly #deprecated: Labelled<"group" | "version" | "resource" | "subresource" | "removed_release", Gauge>;
  readonly #watchEvents: Labelled<"group" | "version" | "kind", Counter>;
  readonly #watchSizes: Labelled<"group" | "version" | "kind", Histogram>;
  readonly #storageObjects: Labelled<"resource", Gauge>;
  readonly #series = new Map<string, RequestSeries>();
  readonly #watchSeries = new WeakMap<ServedResource, { events: Counter; sizes: Histogram }>();

  constructor(registry: MetricsRegistry) {
    const requestLabels = ["verb", "group", "version", "resource", "subresource", "scope", "component"] as const;
    const dryRunLabels = [
      "verb",
      "dry_run",
      "group",
      "version",
      "resource",
      "subresource",
      "scope",
      "component",
    ] as const;
    this.#total = registry.counter({
      name: "apiserver_request_total",
      help: "Requests answered, by verb, resource and code.",
      labelNames: [...dryRunLabels, "code"],
    });
    this.#duration = registry.histogram({
      name: "apiserver_request_duration_seconds",
      help: "Time from the first byte of a request to the last byte of its answer.",
      labelNames: dryRunLabels,
      buckets: durationBuckets,
    });
    this.#sliDuration = registry.histogram({
      name: "apiserver_request_sli_duration_seconds",
      help: "Time of a request without what others answer for, such as webhooks.",
      labelNames: requestLabels,
      buckets: sliBuckets,
    });
    this.#responseSizes = registry.histogram({
      name: "apiserver_response_sizes",
      help: "Bytes of an answer.",
      labelNames: requestLabels,
      buckets: sizeBuckets,
    });
    this.#longRunning = registry.gauge({
      name: "apiserver_longrunning_requests",
      help: "Watches and other long-running requests that are open.",
      labelNames: requestLabels,
    });
    this.#deprecated = registry.gauge({
      name: "apiserver_requested_deprecated_apis",
      help: "1 for each deprecated API that has been asked for, with the release in which it goes.",
      labelNames: ["group", "version", "resource", "subresource", "removed_release"],
    });
    this.#watchEvents = registry.counter({
      name: "apiserver_watch_events_total",
      help: "Events sent to watchers.",
      labelNames: ["group", "version", "kind"],
    });
    this.#watchSizes = registry.histogram({
      name: "apiserver_watch_events_sizes",
      help: "Bytes of events sent to watchers.",
      labelNames: ["group", "version", "kind"],
      buckets: watchSizeBuckets,
    });
    this.#storageObjects = registry.gauge({
      name: "apiserver_storage_objects",
      help: "Objects kept, by resource.",
      labelNames: ["resource"],
    });
  }

  finished(context: RequestContext, code: number, seconds: number): void {
    const series = this.#seriesOf(context);
    let counter = series.byCode.get(code);
    if (counter === undefined) {
      counter = this.#total.labels({ ...series.labels, code: String(code) });
      series.byCode.set(code, counter);
    }
    counter.inc();
    if (context.info.verb !== "watch") {
      series.duration.observe(seconds);
      series.sliDuration.observe(seconds);
      series.responseSizes.observe(context.exchange.sentBytes);
    }
  }

  watchStarted(context: RequestContext): () => void {
    const { dry_run: _dryRun, ...labels } = this.#seriesOf(context).labels;
    const gauge = this.#longRunning.labels(labels);
    gauge.inc();
    return () => gauge.dec();
  }

  deprecatedApi(served: ServedResource, subresource: string, removedRelease: string): void {
    const { group, version, resource } = served;
    this.#deprecated.labels({ group, version, resource, subresource, removed_release: removedRelease }).set(1);
  }

  watchEvents(served: ServedResource, count: number, bytes: number): void {
    let series = this.#watchSeries.get(served);
    if (series === undefined) {
      const { group, version, kind } = served;
      series = {
        events: this.#watchEvents.labels({ group, version, kind }),
        sizes: this.#watchSizes.labels({ group, version, kind }),
      };
      this.#watchSeries.set(served, series);
    }
    series.events.inc(count);
    // Events leave in batches; each is taken to have the mean size of its batch.
    series.sizes.observe(bytes / count);
  }

  storageObjects(resource: string, count: number): void {
    this.#storageObjects.labels({ resource }).set(count);
  }

  /**
   * Returns the series of a request. Values that clients choose freely must not become series: requests for resources
   * that are not served are counted together.
   */
  #seriesOf(context: RequestContext): RequestSeries {
    const { info, isKnownResource, healthPath } = context;
    const verb = verbOf(context);
    const scope = scopeOf(context);
    const dryRun = context.query.size > 0 ? dryRunOf(context) : "";
    const what = isKnownResource ? `${info.group}/${info.version}/${info.resource}/${info.subresource}` : healthPath;
    const key = `${verb} ${what} ${scope} ${dryRun}`;
    let series = this.#series.get(key);
    if (series === undefined) {
      series = this.#makeSeries(context, verb, scope, dryRun);
      this.#series.set(key, series);
    }
    return series;
  }

  #makeSeries(context: RequestContext, verb: string, scope: string, dryRun: string): RequestSeries {
    const { info } = context;
    const known = context.isKnownResource;
    const labels = {
      verb,
      group: known ? info.group : "",
      version: known ? info.version : "",
      resource: known ? info.resource : "",
      subresource: known ? info.subresource : context.healthPath,
      scope,
      // v1.29's health endpoints belong to no component.
      component: context.healthPath === "" ? "apiserver" : "",
    };
    return {
      duration: this.#duration.labels({ ...labels, dry_run: dryRun }),
      sliDuration: this.#sliDuration.labels(labels),
      responseSizes: this.#responseSizes.labels(labels),
      byCode: new Map(),
      labels: { ...labels, dry_run: dryRun },
    };
  }
}

const methods = new Set(["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Returns the HTTP method, with lists and watches distinct from gets, and unknown methods counted together. */
function verbOf(context: RequestContext): string {
  const method = context.method === "HEAD" ? "GET" : context.method;
  if (method === "GET" && context.isKnownResource) {
    return context.info.verb.toUpperCase();
  }
  return methods.has(method) ? method : "other";
}

function scopeOf(context: RequestContext): string {
  const { info } = context;
  if (!info.isResourceRequest) {
    return "";
  }
  if (info.name !== "" || info.verb === "create") {
    return "resource";
  }
  return info.namespace === "" ? "cluster" : "namespace";
}

function dryRunOf(context: RequestContext): string {
  const values = context.query.getAll("dryRun");
  if (values.length === 0) {
    return "";
  }
  return values.every((value) => value === "All" || value === "") ? "All" : "invalid";
}
