import { pause } from "@gatehouse/component-base/time";
import type { KmsProvider } from "../configuration/encryption-configuration.js";
import type { PrefixedTransformer } from "../prefix-transformers.js";
import type { TransformationMetrics } from "../transformation-metrics.js";
import { loadEncryptedObjectCodec } from "./encrypted-object.js";
import { loadKmsV1, loadKmsV2 } from "./kms-api.js";
import { KmsConnection } from "./kms-connection.js";
import type { KmsMetrics } from "./kms-metrics.js";
import { CachedProbe, type HealthProbe } from "./kms-probe.js";
import { KmsV1Transformer } from "./kms-v1.js";
import { KmsV2Key } from "./kms-v2-key.js";
import { KmsV2Transformer } from "./kms-v2-transformer.js";

const healthyPollMs = 60_000;
const unhealthyPollMs = 10_000;

/** The parts that key management services share. */
export interface KmsParts {
  readonly metrics: KmsMetrics;
  readonly transformations: TransformationMetrics;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onUnhealthy: (provider: string, error: Error) => void;
  /** Called when a service that had failed answers again: values that could not be read may be readable. */
  readonly onRecovered: () => void;
}

/** A key management service in use. To dispose of it is to close its connection. */
export interface OpenedKms extends Disposable {
  readonly transformer: PrefixedTransformer;
  readonly probe: HealthProbe;
  /** The longest time in milliseconds that a check may take. */
  readonly checkTimeoutMs: number;
}

/**
 * Opens a key management service. A service of v2 is asked for a key at once; one that cannot be asked yet is no reason
 * not to start, and is asked again.
 */
export function openKms(provider: KmsProvider, parts: KmsParts): Promise<OpenedKms> {
  return provider.apiVersion === "v1" ? openV1(provider, parts) : openV2(provider, parts);
}

async function openV1(provider: KmsProvider, parts: KmsParts): Promise<OpenedKms> {
  const { name, cacheSize, timeoutMs } = provider;
  const connection = await KmsConnection.open(provider);
  const transformer = new KmsV1Transformer({ ...parts, name, connection, cacheSize, methods: await loadKmsV1() });
  return {
    transformer: { prefix: `k8s:enc:kms:v1:${name}:`, transformer },
    probe: new CachedProbe(transformer, parts),
    checkTimeoutMs: 2 * timeoutMs,
    [Symbol.dispose]: () => connection[Symbol.dispose](),
  };
}

async function openV2(provider: KmsProvider, parts: KmsParts): Promise<OpenedKms> {
  const { name, timeoutMs } = provider;
  const connection = await KmsConnection.open({ ...provider, metrics: parts.metrics });
  const shared = { ...parts, name, connection, methods: await loadKmsV2() };
  const key = new KmsV2Key(shared);
  const probe = new CachedProbe(key, parts);
  const stopping = new AbortController();
  const isHealthy = await checkAndTell(probe, name, parts);
  void poll(probe, name, isHealthy, parts, stopping.signal);
  const transformer = new KmsV2Transformer({ ...shared, key, codec: await loadEncryptedObjectCodec() });
  return {
    transformer: { prefix: `k8s:enc:kms:v2:${name}:`, transformer },
    probe,
    checkTimeoutMs: timeoutMs,
    [Symbol.dispose]() {
      stopping.abort();
      connection[Symbol.dispose]();
    },
  };
}

/** Checks the service for as long as it is in use: what it writes with expires soon after the checks fail. */
async function poll(
  probe: HealthProbe,
  name: string,
  wasHealthy: boolean,
  parts: KmsParts,
  signal: AbortSignal,
): Promise<void> {
  let isHealthy = wasHealthy;
  for (;;) {
    await pause(isHealthy ? healthyPollMs : unhealthyPollMs, signal);
    if (signal.aborted) {
      return;
    }
    isHealthy = await checkAndTell(probe, name, parts);
  }
}

async function checkAndTell(probe: HealthProbe, name: string, { onUnhealthy }: KmsParts): Promise<boolean> {
  try {
    await probe.check();
    return true;
  } catch (error) {
    onUnhealthy(name, error instanceof Error ? error : new Error(String(error)));
    return false;
  }
}
