import type { Benchmark } from "../benchmark.js";
import { collectionPath, configMapJson, configMapName, numberDigits } from "../config-maps.js";
import { numberMark, type RequestTemplate, requestTemplate } from "../load/request-template.js";
import { roundResult } from "../load/round-result.js";
import { startGatehouse } from "../processes/gatehouse.js";
import { startBareServer, startLoadGenerator } from "../processes/start-children.js";
import { interleave } from "../rounds.js";

const watchers = 1000;

/** Fan-out: one writer's changes to everybody who watches. */
export const watchBenchmark: Benchmark = {
  name: "watch",
  what: "one writer, 1,000 watchers: events delivered",
  limit: "a bare Node HTTPS server writing the same bytes to 1,000 open responses",
  unit: "events/s",
  wanted: { atLeast: 0.5 },
  async run(environment) {
    const { certificates, roundMs } = environment;
    await using gatehouse = await startGatehouse(environment);
    await using bare = startBareServer();
    await using load = startLoadGenerator();
    const name = configMapName(0);
    const created = await gatehouse.request("POST", collectionPath, configMapJson(name));
    const barePort = await bare.call("listen", certificates);
    const path = `${collectionPath}?watch=1`;
    await bare.call("serve", {
      path,
      headers: { "cache-control": "no-cache, private", "content-type": "application/json" },
      stream: true,
    });
    const frame = Buffer.from(`{"type":"MODIFIED","object":${created.body.toString().trimEnd()}}\n`);
    const times = { warmupMs: roundMs / 2, durationMs: roundMs };
    let nextNumber = 1;
    const figure = async () => {
      // Only what happens from now on: the objects that are there would be events, too.
      const list = JSON.parse((await gatehouse.request("GET", `${collectionPath}?limit=1`)).body.toString());
      const request = requestTemplate("GET", `${path}&resourceVersion=${list.metadata.resourceVersion}`, undefined);
      await load.call("openStreams", { port: gatehouse.port, certificates, count: watchers, request: request.bytes });
      const writer = { port: gatehouse.port, certificates, request: updateTemplate(name), firstNumber: nextNumber };
      const result = await load.call("runStreams", { ...times, serverPid: gatehouse.pid, writer });
      nextNumber = result.nextNumber;
      await load.call("closeStreams", undefined);
      return roundResult(result, result.events);
    };
    const limit = async () => {
      const request = requestTemplate("GET", path, undefined);
      await load.call("openStreams", { port: barePort, certificates, count: watchers, request: request.bytes });
      await bare.call("startWriting", frame);
      const result = await load.call("runStreams", { ...times, serverPid: bare.pid });
      await bare.call("stopWriting", undefined);
      await load.call("closeStreams", undefined);
      return roundResult(result, result.events);
    };
    return await interleave(environment.rounds, figure, limit);
  },
};

/** An unconditional update that changes one value, so that each of them is an event. */
function updateTemplate(name: string): RequestTemplate {
  const zeros = `"generation":"${"0".repeat(numberDigits)}"`;
  const body = configMapJson(name).replace(zeros, `"generation":"${numberMark}"`);
  return requestTemplate("PUT", `${collectionPath}/${name}`, body, numberDigits);
}
