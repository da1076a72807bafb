import type { JsonValue } from "@gatehouse/envelopes/json";
import { parseScrape, renderScrape, type Scrape } from "./exposition.js";
import { countersOf, mergeScrapes } from "./merge-scrapes.js";

/** A worker, as a key. */
type Worker = object;

/** Asks the workers for their metrics of a topic. */
export type ScrapeWorkers = (topic: string) => Promise<{ readonly by: ReadonlyMap<Worker, JsonValue> }>;

/**
 * The metrics of a server with workers. The last scrape of each worker is kept: it counts in place of an answer that does
 * not come, and its counters go on counting when the worker has ended.
 */
export class ServerMetrics {
  readonly #scrape: ScrapeWorkers;
  /** Scrapes by topic and worker. */
  readonly #last = new Map<string, Map<Worker, Scrape>>();
  /** The counters of workers that have ended, by topic. */
  readonly #ended = new Map<string, Scrape>();

  constructor(scrape: ScrapeWorkers) {
    this.#scrape = scrape;
  }

  /** Renders the metrics of all workers. */
  async render(topic: string): Promise<string> {
    const { by } = await this.#scrape(topic);
    const last = this.#last.get(topic) ?? new Map<Worker, Scrape>();
    this.#last.set(topic, last);
    for (const [worker, text] of by) {
      if (typeof text === "string") {
        last.set(worker, parseScrape(text));
      }
    }
    const ended = this.#ended.get(topic);
    // The workers first: the order of metrics is theirs.
    return renderScrape(mergeScrapes([...last.values(), ...(ended === undefined ? [] : [ended])]));
  }

  /** Keeps the counters of a worker that has ended. */
  ended(worker: Worker): void {
    for (const [topic, scrapes] of this.#last) {
      const scrape = scrapes.get(worker);
      if (scrape !== undefined) {
        scrapes.delete(worker);
        this.#ended.set(topic, mergeScrapes([countersOf(scrape), this.#ended.get(topic) ?? new Map()]));
      }
    }
  }
}
