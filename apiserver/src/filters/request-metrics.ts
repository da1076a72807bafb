import {
  type Counter,
  type Gauge,
  type Histogram,
  type Labelled,
  type MetricsRegistry,
  onFirstUse,
} from "@gatehouse/component-base/metrics";
import { groupResourceText } from "@gatehouse/envelopes/status";
import type { ServedResource } from "../registry/served-resource.js";
import type { RequestContext } from "../request/request-context.js";
import type { VerbMetrics } from "../verbs/verb-environment.js";
import { dryRunOf, fieldValidationOf, isWatchByPath, type ObjectLabel, scopeOf, verbOf } from "./request-labels.js";

type RequestLabel = "verb" | "group" | "version" | "resource" | "subresource" | "scope" | "component";
type DryRunLabel = RequestLabel | "dry_run";

/** The series for one kind of request: found by a comparison of few short texts, then only additions. */
interface RequestSeries {
  readonly duration: Histogram;
  /** Duration for the objectives; undefined for requests that last as long as the client likes. */
  readonly sliDuration: Histogram | undefined;
  /** The duration under its former name; undefined while that is hidden. */
  readonly sloDuration: Histogram | undefined;
  /** Sizes of answers; undefined for all but reads. */
  readonly responseSizes: (() => Histogram) | undefined;
  /** Sizes of bodies; undefined for requests without one. */
  readonly bodySizes: Histogram | undefined;
  /** True for writes, whose field validation is counted. */
  readonly isWrite: boolean;
  readonly byCode: Map<number, Counter>;
  readonly labels: Readonly<Record<DryRunLabel, string>>;
}

const durationBuckets = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
];
const sliBuckets = durationBuckets.slice(2);
/** 50 kB, then 100 kB steps up to the limit of bodies. */
const bodyBuckets = Array.from({ length: 31 }, (_, step) => 50_000 + step * 100_000);
/** Verbs of requests with a body, as v1.29 labels them. */
const bodyVerbs: Readonly<Record<string, string>> = {
  create: "create",
  update: "update",
  patch: "patch",
  delete: "delete",
  deletecollection: "delete_collection",
};
const writes = new Set(["create", "update", "patch"]);
const sizeBuckets = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];
const watchListBuckets = [0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 2, 4, 6, 8, 10, 15, 20, 30, 45, 60];
const watchSizeBuckets = [1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072];

/** The request and watch metrics that v1.29 calls stable, and a few related ones, with its names and labels. */
export class RequestMetrics implements VerbMetrics {
  readonly #total: Labelled<DryRunLabel | "code", Counter>;
  readonly #duration: Labelled<DryRunLabel, Histogram>;
  readonly #sliDuration: Labelled<RequestLabel, Histogram>;
  readonly #sloDuration: Labelled<RequestLabel, Histogram> | undefined;
  readonly #responseSizes: Labelled<RequestLabel, Histogram>;
  readonly #bodySizes: Labelled<"resource" | "verb", Histogram>;
  readonly #fieldValidation: Labelled<"field_validation", Histogram>;
  readonly #watchLists: Labelled<"group" | "version" | "resource" | "scope", Histogram>;
  readonly #self: Labelled<"verb" | "resource" | "subresource", Counter>;
  readonly #longRunning: Labelled<RequestLabel, Gauge>;
  readonly #deprecated: Labelled<"group" | "version" | "resource" | "subresource" | "removed_release", Gauge>;
  readonly #watchEvents: Labelled<"group" | "version" | "kind", Counter>;
  readonly #watchSizes: Labelled<"group" | "version" | "kind", Histogram>;
  readonly #storageObjects: Labelled<"resource", Gauge>;
  /** Series by group, and by the name of a resource or the path of a health check: of each of those there are few. */
  readonly #series = new Map<string, Map<string, RequestSeries[]>>();
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
      stability: "STABLE",
      help: "Requests answered, by verb, resource and code.",
      labelNames: [...dryRunLabels, "code"],
    });
    this.#duration = registry.histogram({
      name: "apiserver_request_duration_seconds",
      stability: "STABLE",
      help: "Time from the first byte of a request to the last byte of its answer.",
      labelNames: dryRunLabels,
      buckets: durationBuckets,
    });
    this.#sliDuration = registry.histogram({
      name: "apiserver_request_sli_duration_seconds",
      help: "Time of a request without what others answer for, such as webhooks and queues.",
      labelNames: requestLabels,
      buckets: sliBuckets,
    });
    this.#responseSizes = registry.histogram({
      name: "apiserver_response_sizes",
      help: "Bytes of an answer.",
      labelNames: requestLabels,
      buckets: sizeBuckets,
      stability: "STABLE",
    });
    const sloDuration = registry.histogram({
      name: "apiserver_request_slo_duration_seconds",
      help: "Former name of apiserver_request_sli_duration_seconds.",
      labelNames: requestLabels,
      buckets: sliBuckets,
      deprecatedVersion: "1.27.0",
    });
    this.#sloDuration = registry.shows("apiserver_request_slo_duration_seconds") ? sloDuration : undefined;
    this.#bodySizes = registry.histogram({
      name: "apiserver_request_body_size_bytes",
      help: "Bytes of the bodies of writes, by resource and verb.",
      labelNames: ["resource", "verb"],
      buckets: bodyBuckets,
    });
    this.#fieldValidation = registry.histogram({
      name: "field_validation_request_duration_seconds",
      help: "Time of writes, by the field validation that they ask for.",
      labelNames: ["field_validation"],
      buckets: sliBuckets,
    });
    this.#watchLists = registry.histogram({
      name: "apiserver_watch_list_duration_seconds",
      help: "Time until a watch has sent the objects that it began with.",
      labelNames: ["group", "version", "resource", "scope"],
      buckets: watchListBuckets,
    });
    this.#self = registry.counter({
      name: "apiserver_selfrequest_total",
      help: "Requests of the server's own controllers.",
      labelNames: ["verb", "resource", "subresource"],
    });
    this.#longRunning = registry.gauge({
      name: "apiserver_longrunning_requests",
      stability: "STABLE",
      help: "Watches and other long-running requests that are open.",
      labelNames: requestLabels,
    });
    this.#deprecated = registry.gauge({
      name: "apiserver_requested_deprecated_apis",
      stability: "STABLE",
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
      stability: "STABLE",
      help: "Objects kept, by resource.",
      labelNames: ["resource"],
    });
  }

  finished(context: RequestContext, code: number, seconds: number): void {
    if (!context.isKnownResource && context.healthPath === "") {
      // v1.29 counts neither other paths nor requests that no handler has seen.
      return;
    }
    const series = this.#seriesOf(context);
    let counter = series.byCode.get(code);
    if (counter === undefined) {
      counter = this.#total.labels({ ...series.labels, code: String(code) });
      series.byCode.set(code, counter);
    }
    counter.inc();
    series.duration.observe(seconds);
    const ownSeconds = seconds - (context.webhookMs + context.queueMs) / 1000;
    series.sliDuration?.observe(ownSeconds);
    series.sloDuration?.observe(ownSeconds);
    if (!isWatchByPath(context)) {
      series.responseSizes?.().observe(context.exchange.sentBytes);
    }
    if (context.bodyBytes !== undefined) {
      series.bodySizes?.observe(context.bodyBytes);
    }
    if (series.isWrite) {
      this.#fieldValidation.labels({ field_validation: fieldValidationOf(context) }).observe(seconds);
    }
  }

  /** Counts a request that was answered 429 before a handler has seen it, under the labels that name it. */
  turnedAway(context: RequestContext, labels: Readonly<Record<ObjectLabel, string>>): void {
    const dryRun = dryRunOf(context);
    this.#total.labels({ ...labels, dry_run: dryRun, component: "apiserver", code: "429" }).inc();
  }

  watchListSent(context: RequestContext): void {
    const { group, version, resource } = context.info;
    const seconds = (performance.now() - context.receivedAtMs) / 1000;
    this.#watchLists.labels({ group, version, resource, scope: scopeOf(context) }).observe(seconds);
  }

  selfRequest(verb: string, resource: string, subresource: string): void {
    this.#self.labels({ verb, resource, subresource }).inc();
  }

  longRunningStarted(context: RequestContext): () => void {
    const { dry_run: _dryRun, ...labels } = this.#seriesOf(context).labels;
    const readVerb = labels.scope === "resource" ? "GET" : "LIST";
    const gauge = this.#longRunning.labels(isWatchByPath(context) ? { ...labels, verb: readVerb } : labels);
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
    const name = isKnownResource ? info.resource : healthPath;
    const group = isKnownResource ? info.group : "";
    const ofGroup = this.#series.get(group) ?? new Map<string, RequestSeries[]>();
    const known = ofGroup.get(name) ?? [];
    for (const series of known) {
      const { labels } = series;
      if (
        labels.verb === verb &&
        labels.scope === scope &&
        labels.dry_run === dryRun &&
        (!isKnownResource || (labels.subresource === info.subresource && labels.version === info.version))
      ) {
        return series;
      }
    }
    const series = this.#makeSeries(context, verb, scope, dryRun);
    known.push(series);
    ofGroup.set(name, known);
    this.#series.set(group, ofGroup);
    return series;
  }

  #makeSeries(context: RequestContext, verb: string, scope: string, dryRun: string): RequestSeries {
    const { info } = context;
    const known = context.isKnownResource;
    const bodyVerb = bodyVerbs[info.verb];
    const isWatch = verb === "WATCH";
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
      sliDuration: isWatch ? undefined : this.#sliDuration.labels(labels),
      sloDuration: isWatch ? undefined : this.#sloDuration?.labels(labels),
      responseSizes: ["GET", "LIST", "WATCH"].includes(verb)
        ? onFirstUse(() => this.#responseSizes.labels(labels))
        : undefined,
      bodySizes:
        known && bodyVerb !== undefined
          ? this.#bodySizes.labels({ resource: groupResourceText(info), verb: bodyVerb })
          : undefined,
      isWrite: known && writes.has(info.verb),
      byCode: new Map(),
      labels: { ...labels, dry_run: dryRun },
    };
  }
}
