import type { Benchmark } from "../benchmark.js";
import { collectionPath, configMapJson, configMapName } from "../config-maps.js";
import { answeredRounds } from "../load/answered-rounds.js";
import type { Protocol } from "../load/open-load-connection.js";
import { startGatehouse } from "../processes/gatehouse.js";
import { startBareServer, startLoadGenerator } from "../processes/start-children.js";
import { headersToReplay } from "../replay.js";
import { interleave } from "../rounds.js";

/** Reads of one small object: what the filter list costs per request, over each protocol and shape of connections. */
export const getBenchmarks: readonly Benchmark[] = [
  getBenchmark("get", "HTTP/1.1", 32, 1),
  getBenchmark("get-h2", "HTTP/2", 32, 1),
  getBenchmark("get-h2-streams", "HTTP/2", 4, 16),
];

function getBenchmark(name: string, protocol: Protocol, connections: number, streams: number): Benchmark {
  const shape = `${connections} connections${streams === 1 ? "" : ` of ${streams} streams`}`;
  return {
    name,
    what: `get a 1 KB ConfigMap, ${protocol}, ${shape}, client certificate`,
    limit: `a bare Node ${protocol === "HTTP/2" ? "http2" : "https"} server sending the same bytes`,
    unit: "requests/s",
    wanted: { atLeast: 0.6 },
    async run(environment) {
      const { certificates, roundMs } = environment;
      await using gatehouse = await startGatehouse(environment);
      await using bare = startBareServer(protocol);
      await using load = startLoadGenerator();
      const objectName = configMapName(0);
      const path = `${collectionPath}/${objectName}`;
      await gatehouse.request("POST", collectionPath, configMapJson(objectName));
      const answer = await gatehouse.request("GET", path);
      const barePort = await bare.call("listen", certificates);
      await bare.call("serve", { path, headers: headersToReplay(answer), body: answer.body });
      const side = (port: number, serverPid: number) =>
        answeredRounds(
          load,
          { port, certificates, pids: [serverPid] },
          { request: { method: "GET", path }, roundMs, protocol, connections, streams },
        );
      return await interleave(environment.rounds, side(gatehouse.port, gatehouse.pid), side(barePort, bare.pid));
    },
  };
}
