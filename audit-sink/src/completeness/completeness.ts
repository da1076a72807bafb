import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomic } from "@gatehouse/component-base/files";
import type { MetricsRegistry } from "@gatehouse/component-base/metrics";
import { isJsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import type { BatchIndex, NewBatch } from "../log/log-batch.js";
import type { SinkLog } from "../sink-log.js";
import { CompletenessMetrics } from "./completeness-metrics.js";
import { type FindingRange, type SinkFinding, sinkBatch } from "./sink-events.js";
import { Sources } from "./sources.js";

/** Findings that are told in one batch. */
const findingsInBatch = 1000;

/** Name of the file with what is known of sources, in the folder of the log. */
export const sourcesName = "sources.json";

/** Parts and settings of the upkeep of completeness. */
export interface CompletenessOptions {
  /** Folder of the log, in which the file is kept. */
  readonly directory: string;
  /** Time in milliseconds after which a missing number is reported. */
  readonly gapAfterMs: number;
  readonly append: (batch: NewBatch) => Promise<number>;
  readonly sinkLog: SinkLog;
  readonly registry: MetricsRegistry;
}

/**
 * Watches the numbers of all sources and reports what is missing: to the log of the process, as metrics, and as an event
 * among the events. What is known of sources outlives restarts.
 */
export class Completeness {
  readonly sources: Sources = new Sources();
  readonly #options: CompletenessOptions;
  readonly #path: string;
  readonly #metrics: CompletenessMetrics;
  /** Position up to which the sources have seen everything, one look ago: a batch may be durable and not yet seen. */
  #seenBefore = 0;
  #seenNow = 0;
  readonly #toTell: (readonly [SinkFinding, FindingRange])[] = [];

  private constructor(options: CompletenessOptions) {
    this.#options = options;
    this.#metrics = new CompletenessMetrics(options.registry, this.sources);
    this.#path = join(options.directory, sourcesName);
  }

  /** Reads what was saved. `replayFrom` is the position from which the log must be shown to `replay`. */
  static async open(options: CompletenessOptions): Promise<Completeness> {
    const completeness = new Completeness(options);
    const saved = await completeness.#read();
    const position = isJsonObject(saved) ? saved["position"] : undefined;
    completeness.sources.restore(saved);
    completeness.#seenNow = typeof position === "number" ? position : 0;
    completeness.#seenBefore = completeness.#seenNow;
    return completeness;
  }

  get replayFrom(): number {
    return this.#seenNow;
  }

  /** A batch of the log that the sources may not have seen. */
  replay({ position, sender, source, sequence, received, events }: BatchIndex): void {
    this.#seenNow = Math.max(this.#seenNow, position + events.length);
    if (source !== undefined && sequence !== undefined) {
      const count = received ?? (events.at(-1)?.offset ?? 0) + 1;
      this.sources.received(sender, { source, sequence }, count);
    }
  }

  /** Reports what there is to report, and saves; to be called every few seconds with the end of the log. */
  async look(endPosition: number): Promise<void> {
    await this.report();
    if (endPosition !== this.#seenBefore) {
      this.#seenBefore = this.#seenNow;
      this.#seenNow = endPosition;
      await this.save();
    }
  }

  /** Reports what is missing and what has come late, waits until that is durable, and then applies the bounds of sources. */
  async report(): Promise<void> {
    const { gapAfterMs, sinkLog } = this.#options;
    const { missing, filled } = this.sources.report(gapAfterMs);
    for (const { sender, source, first, last } of missing) {
      sinkLog.gapFound(sender, source, first, last);
      this.#metrics.gapFound(sender, last - first + 1);
      this.#toTell.push([
        { verb: "gap", sender, source },
        { first, last },
      ]);
    }
    for (const { sender, source, first, last } of filled) {
      sinkLog.gapFilled(sender, source, first, last);
      this.#toTell.push([
        { verb: "gap-filled", sender, source },
        { first, last },
      ]);
    }
    await this.#tell();
    for (const [sender, sources] of this.sources.forget()) {
      sinkLog.sourcesForgotten(sender, sources);
    }
  }

  /** Appends the findings to the log. Those that it does not take now are appended at the next look. */
  async #tell(): Promise<void> {
    while (this.#toTell.length > 0) {
      const findings = this.#toTell.slice(0, findingsInBatch);
      await this.#options.append(sinkBatch(findings));
      this.#toTell.splice(0, findings.length);
    }
  }

  /** Saves what is known of sources. */
  async save(): Promise<void> {
    const saved = { position: this.#seenBefore, ...this.sources.save() };
    await writeFileAtomic(this.#path, JSON.stringify(saved), { mode: 0o600 });
  }

  /** A file that cannot be read is as none: then gaps are looked for from the events that are kept. */
  async #read(): Promise<JsonValue | undefined> {
    try {
      return JSON.parse(await readFile(this.#path, "utf8")) as JsonValue;
    } catch {
      return undefined;
    }
  }
}
