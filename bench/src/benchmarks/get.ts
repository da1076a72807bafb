import type { Benchmark } from "../benchmark.js";
import { collectionPath, configMapJson, configMapName } from "../config-maps.js";
import { requestTemplate } from "../load/request-template.js";
import { roundResult } from "../load/round-result.js";
import { startGatehouse } from "../processes/gatehouse.js";
import { startBareServer, startLoadGenerator } from "../processes/start-children.js";
import { headersToReplay } from "../replay.js";
import { interleave } from "../rounds.js";

const connections = 32;

/** Reads of one small object: what the stage list costs per request. */
export const getBenchmark: Benchmark = {
  name: "get",
  what: "get a 1 KB ConfigMap, HTTPS keep-alive, 32 connections, client certificate",
  limit: "a bare Node HTTPS server sending the same bytes",
  unit: "requests/s",
  wanted: { atLeast: 0.6 },
  async run(environment) {
    const { certificates, roundMs } = environment;
    await using gatehouse = await startGatehouse(environment);
    await using bare = startBareServer();
    await using load = startLoadGenerator();
    const name = configMapName(0);
    const path = `${collectionPath}/${name}`;
    await gatehouse.request("POST", collectionPath, configMapJson(name));
    const answer = await gatehouse.request("GET", path);
    const barePort = await bare.call("listen", certificates);
    await bare.call("serve", { path, headers: headersToReplay(answer), body: answer.body });
    const side = (port: number, serverPid: number) => async () => {
      const result = await load.call("run", {
        port,
        certificates,
        connections,
        request: requestTemplate("GET", path, undefined),
        firstNumber: 0,
        expectedCode: 200,
        warmupMs: roundMs / 4,
        durationMs: roundMs,
        serverPid,
      });
      return roundResult(result, result.answers);
    };
    return await interleave(environment.rounds, side(gatehouse.port, gatehouse.pid), side(barePort, bare.pid));
  },
};
