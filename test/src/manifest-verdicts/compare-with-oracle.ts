import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHttpClient } from "@gatehouse/component-base/http-client";
import { loadKubeconfig } from "@gatehouse/component-base/kubeconfig";
import { type CheckRequest, type JudgingServer, warningsIn } from "@gatehouse/deploy/check";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { judgeSuite, type SuiteVerdict, verdictText } from "./judge-suite.js";
import { fetchSuite, manifestSuites } from "./public-manifests.js";

/*
 * Compares the verdicts of `gatehouse check` on the manifests of public tools with those of a kube-apiserver v1.29 with
 * its controllers, which must be new. Usage: node test/dist/manifest-verdicts/compare-with-oracle.js KUBECONFIG [FILE].
 * Prints each difference. With FILE it records the verdicts of the kube-apiserver there: places, and the rules that
 * refuse; no text of the manifests.
 */

async function main([kubeconfig = "", recording]: readonly string[]): Promise<void> {
  using client = createHttpClient({ config: await loadKubeconfig(kubeconfig) });
  const cache = await mkdtemp(join(tmpdir(), "gatehouse-suites-"));
  const recorded: Record<string, readonly string[]> = {};
  try {
    for (const suite of manifestSuites) {
      const directory = await fetchSuite(suite, cache);
      const expected = await judgeSuite(suite, directory, serverAt(client));
      const differences = differencesBetween(expected, await judgeSuite(suite, directory));
      const refused = expected.filter(({ errors }) => errors.length > 0).length;
      console.log(`${suite.name}: ${expected.length} documents, ${refused} refused, ${differences.length} differences`);
      for (const difference of differences) {
        console.log(difference);
      }
      recorded[suite.name] = expected.map(verdictText);
    }
    if (recording !== undefined) {
      await writeFile(recording, `${JSON.stringify(recorded, undefined, 2)}\n`);
    }
  } finally {
    await rm(cache, { recursive: true, force: true });
  }
}

function serverAt(client: ReturnType<typeof createHttpClient>): JudgingServer {
  return {
    async send({
      method = "GET",
      path,
      contentType = "application/json",
      accept = "application/json",
      body,
    }: CheckRequest) {
      const headers = { accept, ...(body === undefined ? {} : { "content-type": contentType }) };
      const signal = new AbortController().signal;
      const content = body === undefined ? {} : { body };
      const answer = await client.request({
        method,
        path,
        headers,
        ...content,
        signal,
        timeoutMs: 30_000,
        maxResponseBytes: 64 << 20,
      });
      const text = answer.body.toString();
      const parsed: JsonObject = text.startsWith("{") ? JSON.parse(text) : {};
      return { status: answer.status, body: parsed, warnings: warningsIn(answer.headers["warning"]) };
    },
  };
}

function differencesBetween(expected: readonly SuiteVerdict[], actual: readonly SuiteVerdict[]): readonly string[] {
  return expected.flatMap((verdict, index) => {
    const [there, here] = [verdict, actual[index]].map((each) => JSON.stringify(each));
    return there === here ? [] : [`  kube-apiserver: ${there}\n  gatehouse:      ${here}`];
  });
}

await main(process.argv.slice(2));
