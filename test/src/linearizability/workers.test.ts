import { test } from "node:test";
import { startTestServer } from "../support/start-test-server.js";
import { isRunning, spreadClients, untilServing, workerPids } from "../workers/workers-of-server.js";
import { pauseProcesses } from "./faults.js";
import { historyRequests, isLong, recordAndCheck } from "./record-and-check.js";

const workers = isLong ? 4 : 2;
const controllers = "--controllers=*,-bootstrap-roles,-root-ca-certificate-publisher-controller";

test(`${historyRequests} requests to ${workers} workers on the embedded store are linearizable, while workers are killed and stopped`, async (context) => {
  await using server = await startTestServer({ flags: [controllers, `--workers=${workers}`] });
  await untilServing(server, workers);
  using spread = await spreadClients(server, workers * 4);
  using watching = await spreadClients(server, workers * 2);
  const anyWorker = (): number[] => {
    const pids = [...workerPids(server).values()].filter(isRunning);
    return pids.slice(Math.floor(Math.random() * pids.length)).slice(0, 1);
  };
  await recordAndCheck(context, {
    connections: spread.clients,
    watching: watching.clients,
    faults: [
      {
        name: "a worker is killed",
        run: async () => {
          const victims = anyWorker();
          for (const pid of victims) {
            process.kill(pid, "SIGKILL");
          }
          await untilServing(server, workers, victims);
        },
      },
      {
        name: "a worker is stopped",
        run: () => pauseProcesses(anyWorker(), isLong ? 500 + Math.random() * 2000 : 100),
      },
      ...(isLong
        ? [
            {
              name: "all are killed",
              run: async () => {
                await server.kill("SIGKILL");
                await server.restart();
              },
            },
          ]
        : []),
    ],
  });
});
