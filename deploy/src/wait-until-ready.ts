import { setTimeout as sleep } from "node:timers/promises";
import { HttpClientError } from "@gatehouse/component-base/errors";
import { createHttpClient } from "@gatehouse/component-base/http-client";
import { adminClientConfig, type LocalPki } from "./local-pki.js";
import type { StackPart } from "./parts/stack-part.js";
import { StartError } from "./start-error.js";

/** Interval in milliseconds between questions. A question costs the starting server next to nothing. */
const pollMs = 20;

/** Resolves when a part answers `/readyz` with 200; rejects with StartError after `timeoutMs`, or when aborted. */
export async function waitUntilReady(options: {
  readonly pki: LocalPki;
  readonly part: Pick<StackPart, "name" | "port">;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}): Promise<void> {
  const { pki, part, timeoutMs, signal } = options;
  using client = createHttpClient({
    config: adminClientConfig(pki, part.port),
    maxConnections: 1,
  });
  const giveUpAt = performance.now() + timeoutMs;
  let lastAnswer = "it did not answer";
  while (performance.now() < giveUpAt) {
    try {
      const { status, body } = await client.request({ path: "/readyz", signal, timeoutMs: 5000 });
      if (status === 200) {
        return;
      }
      lastAnswer = body.toString("utf8", 0, 2000).trim();
    } catch (error) {
      if (signal.aborted || !(error instanceof HttpClientError)) {
        throw error;
      }
    }
    await sleep(pollMs, undefined, { signal });
  }
  throw new StartError(`the ${part.name} was not ready after ${timeoutMs / 1000} s: ${lastAnswer}`);
}
