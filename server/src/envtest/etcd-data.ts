import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

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
const maxAnswerLength = 64 * 1024;

/**
 * Asks an etcd for its data, so that an API server on the same machine can open them itself. Returns undefined for any
 * other etcd. Waits for one that does not listen yet; some harnesses start both at once.
 */
export async function askForData(url: string): Promise<EtcdData | undefined> {
  const giveUpAt = performance.now() + waitMs;
  for (;;) {
    try {
      return dataOf(await ask(new URL(dataPath, url)));
    } catch (error) {
      // Of a name with several addresses, each of which has refused, it is an AggregateError with the code of the first.
      const isMissing = (error as NodeJS.ErrnoException).code === "ECONNREFUSED";
      if (!isMissing || performance.now() > giveUpAt) {
        return undefined; // the store of etcd3 says what is wrong with it
      }
      await sleep(pauseMs);
    }
  }
}

/** Returns the JSON of an answer; undefined for one that is not 200. To load `fetch` would take longer than to ask. */
async function ask(url: URL): Promise<unknown> {
  const request = get(url, { agent: false, signal: AbortSignal.timeout(waitMs) });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  let text = "";
  for await (const piece of response.setEncoding("utf8")) {
    text += piece;
    if (text.length > maxAnswerLength) {
      throw new RangeError("the answer is too long");
    }
  }
  return response.statusCode === 200 ? JSON.parse(text) : undefined;
}

function dataOf(answer: unknown): EtcdData | undefined {
  const { directory, unsafeNoFsync } = Object(answer) as Partial<Record<keyof EtcdData, unknown>>;
  return typeof directory === "string" && typeof unsafeNoFsync === "boolean" ? { directory, unsafeNoFsync } : undefined;
}
