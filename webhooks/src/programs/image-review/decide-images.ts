import { type Counter, createMetricsRegistry, type MetricsRegistry } from "@gatehouse/component-base/metrics";
import { yieldToEventLoop } from "@gatehouse/envelopes/scheduling";
import type { ImageUse, ImageVerdict } from "@gatehouse/policies/image-rules";
import type { ImageRuleSet } from "./reloading-image-rules.js";

/** Largest number of decisions in memory: a few megabytes, since names of images are short. */
const maxEntries = 10_000;
/** Number of decisions in one step: about a millisecond of work with a hundred rules. */
const decisionsPerStep = 100;

interface Entry {
  readonly verdict: ImageVerdict;
  /** End of the decision in milliseconds since 1970, when an exception expires. */
  readonly until: number;
}

/** Options of `ImageDecisions`. */
export interface ImageDecisionsOptions {
  /** Present in milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
  /** Registry that counts decisions. Default: they are not shown. */
  readonly metrics?: MetricsRegistry;
}

/** Decides on images by the rules, and keeps the decisions: an image is decided once under the same rules. */
export class ImageDecisions {
  readonly #now: () => number;
  readonly #entries = new Map<string, Entry>();
  readonly #fromRules: Counter;
  readonly #fromCache: Counter;
  #decided = 0;

  constructor(options: ImageDecisionsOptions = {}) {
    const { now = Date.now, metrics = createMetricsRegistry({ processMetrics: false }) } = options;
    this.#now = now;
    const decisions = metrics.counter({
      name: "gatehouse_image_review_decisions_total",
      help: "Decisions on images, by where they came from: the rules, or the cache of earlier decisions.",
      labelNames: ["source"],
    });
    this.#fromRules = decisions.labels({ source: "rules" });
    this.#fromCache = decisions.labels({ source: "cache" });
  }

  /** Number of decisions that were made by the rules, not taken from memory. */
  get decided(): number {
    return this.#decided;
  }

  /** Returns one verdict for each different image, in their order, in steps. */
  async decide(images: Iterable<string>, use: ImageUse, ruleSet: ImageRuleSet): Promise<readonly ImageVerdict[]> {
    const part = ruleSet.rules.relevantPart(use);
    const verdicts: ImageVerdict[] = [];
    const decidedBefore = this.#decided;
    for (const image of new Set(images)) {
      verdicts.push(this.#decideOne(image, use, ruleSet, part));
      const decided = this.#decided - decidedBefore;
      if (decided > 0 && decided % decisionsPerStep === 0) {
        await yieldToEventLoop();
      }
    }
    return verdicts;
  }

  #decideOne(image: string, use: ImageUse, { rules, hash }: ImageRuleSet, part: string): ImageVerdict {
    const key = `${hash} ${image} ${part}`;
    const now = this.#now();
    const known = this.#entries.get(key);
    this.#entries.delete(key);
    if (known !== undefined && now < known.until) {
      this.#entries.set(key, known);
      this.#fromCache.inc();
      return known.verdict;
    }
    const verdict = rules.decide(image, use, now);
    this.#decided++;
    this.#fromRules.inc();
    this.#entries.set(key, { verdict, until: rules.nextExpiry(now) });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > maxEntries && oldest !== undefined) {
      this.#entries.delete(oldest);
    }
    return verdict;
  }
}
