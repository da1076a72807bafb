import { setTimeout as sleep } from "node:timers/promises";
import { isSystemError } from "@gatehouse/component-base/problems";

/** The path at which the etcd of the pair tells its API server where its data lies. */
export const dataPath = "/gatehouse/data";

/** Location of the data of the etcd of the pair. */
export interface EtcdData {
  readonly directory: string;
  readonly unsafeNoFsync: boolean;
}

/** Milliseconds for which an etcd that does not listen yet is waited for, as kube-apiserver does, and between two attempts. */
const waitMs = 60_000;
const pauseMs = 50;

/**
 * Asks an etcd for its data, so that an API server on the same machine can open them itself. Returns undefined for any
 * other etcd. Waits for one that does not listen yet; some harnesses start both at once.
 */
export async function askForData(url: string): Promise<EtcdData | undefined> {
  const giveUpAt = performance.now() + waitMs;
  for (;;) {
    try {
      const response = await fetch(new URL(dataPath, url), { signal: AbortSignal.timeout(waitMs) });
      return response.ok ? dataOf(await response.json()) : undefined;
    } catch (error) {
      const { cause } = error as { readonly cause?: unknown };
      const isMissing = isSystemError(cause) && cause.code === "ECONNREFUSED";
      if (!isMissing || performance.now() > giveUpAt) {
        return undefined; // the store of etcd3 says what is wrong with it
      }
      await sleep(pauseMs);
    }
  }
}

function dataOf(answer: unknown): EtcdData | undefined {
  const { directory, unsafeNoFsync } = answer as Partial<Record<keyof EtcdData, unknown>>;
  return typeof directory === "string" && typeof unsafeNoFsync === "boolean" ? { directory, unsafeNoFsync } : undefined;
}
