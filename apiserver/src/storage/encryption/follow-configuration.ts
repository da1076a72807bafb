import { pause } from "@gatehouse/component-base/time";
import type { ReadConfiguration } from "./configuration/read-encryption-configuration.js";
import type { EncryptionObserver } from "./encryption-observer.js";
import { checkAll } from "./kms/kms-probe.js";
import type { CurrentProviders, OpenedProviders } from "./open-providers.js";
import type { ReloadMetrics } from "./reload-metrics.js";

const firstRetryMs = 1_000;
const healthIntervalMs = 100;
const minHealthMs = 10_000;

/** The configuration to follow, and what is done with it. */
export interface FollowConfigurationOptions {
  readonly file: string;
  readonly pollIntervalMs: number;
  /** The providers in use, which a change replaces. */
  readonly current: CurrentProviders;
  /** The hash of the configuration in use. */
  readonly contentHash: string;
  readonly read: () => Promise<ReadConfiguration>;
  readonly open: (read: ReadConfiguration) => Promise<OpenedProviders>;
  readonly observer: EncryptionObserver;
  readonly metrics: ReloadMetrics;
  readonly onReadable: () => void;
}

/** The following of the file of a configuration. */
export interface FollowedConfiguration extends AsyncDisposable {
  /** True as long as changes of the file are noticed. */
  readonly isActive: boolean;
}

/**
 * Follows the file of a configuration until it is disposed of. A changed one is used as soon as all of its services are
 * healthy. One that cannot be used changes nothing, and is tried again, soon at first and then with each look.
 */
export function followConfiguration(options: FollowConfigurationOptions): FollowedConfiguration {
  const stopping = new AbortController();
  let isActive = true;
  const running = run(options, stopping.signal).finally(() => {
    isActive = false;
  });
  return {
    get isActive() {
      return isActive;
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await running;
    },
  };
}

async function run(options: FollowConfigurationOptions, signal: AbortSignal): Promise<void> {
  const { pollIntervalMs, observer, file, metrics } = options;
  const closing = new Set<Promise<void>>();
  let { contentHash } = options;
  let retryMs = firstRetryMs;
  let waitMs = pollIntervalMs;
  for (;;) {
    await pause(waitMs, signal);
    if (signal.aborted) {
      break;
    }
    try {
      const read = await options.read();
      waitMs = pollIntervalMs;
      retryMs = firstRetryMs;
      if (read.contentHash !== contentHash) {
        const closed = replace(options, await openHealthy(options, read, signal), signal);
        closing.add(closed.finally(() => closing.delete(closed)));
        contentHash = read.contentHash;
        metrics.record("success");
        observer.encryptionReloaded(file);
        options.onReadable();
      }
    } catch (error) {
      if (signal.aborted) {
        break;
      }
      metrics.record("failure");
      observer.encryptionRefused(file, error instanceof Error ? error : new Error(String(error)));
      waitMs = Math.min(retryMs, pollIntervalMs);
      retryMs *= 2;
    }
  }
  await Promise.all(closing);
}

/** Opens the providers of a configuration. Rejects, and closes them, when a service does not become healthy in time. */
async function openHealthy(
  { open }: FollowConfigurationOptions,
  read: ReadConfiguration,
  signal: AbortSignal,
): Promise<OpenedProviders> {
  const providers = await open(read);
  const deadlineMs = performance.now() + Math.max(minHealthMs, 2 * providers.checkTimeoutMs);
  for (;;) {
    try {
      await checkAll(providers.probes);
      return providers;
    } catch (error) {
      if (signal.aborted || performance.now() > deadlineMs) {
        providers[Symbol.dispose]();
        const text = error instanceof Error ? error.message : String(error);
        throw new Error(`health check for new transformers failed: ${text}`, { cause: error });
      }
    }
    await pause(healthIntervalMs, signal);
  }
}

/** Puts providers into use. Resolves when those before are closed: calls under way may take until then. */
async function replace(
  { current }: FollowConfigurationOptions,
  providers: OpenedProviders,
  signal: AbortSignal,
): Promise<void> {
  const before = current.providers;
  current.providers = providers;
  await pause(2 * before.checkTimeoutMs, signal);
  before[Symbol.dispose]();
}
