import { goAggregate } from "@gatehouse/envelopes/go";

/** A check of a service's health. */
export interface HealthProbe {
  /** Rejects when the service is not healthy. */
  check(): Promise<void>;
}

const healthyMs = 20_000;
const unhealthyMs = 3_000;

/** Options of a cached probe. */
export interface CachedProbeOptions {
  /** Milliseconds on any clock. */
  readonly now: () => number;
  /** Called when a check has succeeded after one that failed. */
  readonly onRecovered?: () => void;
}

/**
 * A probe whose result counts for a while: 20 s when the service is healthy, 3 s when it is not, in which the cause of its
 * error is told. Checks that come at the same time share one.
 */
export class CachedProbe implements HealthProbe {
  readonly #probe: HealthProbe;
  readonly #options: CachedProbeOptions;
  #checking: Promise<void> | undefined;
  #lastError: unknown;
  #validUntilMs = Number.NEGATIVE_INFINITY;

  constructor(probe: HealthProbe, options: CachedProbeOptions) {
    this.#probe = probe;
    this.#options = options;
  }

  check(): Promise<void> {
    if (this.#options.now() < this.#validUntilMs) {
      return this.#lastError === undefined ? Promise.resolve() : Promise.reject(this.#lastError);
    }
    this.#checking ??= this.#checkNow().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  async #checkNow(): Promise<void> {
    const { now, onRecovered } = this.#options;
    try {
      await this.#probe.check();
    } catch (error) {
      // What was asked of the service is told once, and then its answer alone, as in v1.29.
      this.#lastError = error instanceof Error ? (error.cause ?? error) : error;
      this.#validUntilMs = now() + unhealthyMs;
      throw error;
    }
    const hasRecovered = this.#lastError !== undefined;
    this.#lastError = undefined;
    this.#validUntilMs = now() + healthyMs;
    if (hasRecovered) {
      onRecovered?.();
    }
  }
}

/** Checks services one after the other. Rejects with the problems of all. */
export async function checkAll(probes: readonly HealthProbe[]): Promise<void> {
  const problems: string[] = [];
  for (const [index, probe] of probes.entries()) {
    try {
      await probe.check();
    } catch (error) {
      problems.push(`kms-provider-${index}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (problems.length > 0) {
    throw new Error(goAggregate(problems));
  }
}
