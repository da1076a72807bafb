import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Shutdown, type ShutdownOptions } from "./shutdown.js";

const hourMs = 3_600_000;
const atOnce: ShutdownOptions = { delayMs: 0, sendRetryAfter: false, watchGraceMs: 0, graceMs: hourMs };

function recorded(options: Partial<ShutdownOptions>): { readonly shutdown: Shutdown; readonly steps: string[] } {
  const shutdown = new Shutdown({ ...atOnce, ...options });
  const steps: string[] = [];
  shutdown.begun.addEventListener("abort", () => steps.push("begun"));
  shutdown.stopping.addEventListener("abort", () => steps.push("stopping"));
  shutdown.watchEnds.add(() => steps.push("watch ended"));
  shutdown.closePort = async (graceMs) => {
    steps.push(`port closed within ${graceMs}`);
  };
  return { shutdown, steps };
}

describe("The end of a server", () => {
  it("closes the port and ends watches before its parts stop", async () => {
    const { shutdown, steps } = recorded({});
    shutdown.isServing = true;
    await shutdown.run();
    assert.deepEqual(steps, ["begun", `port closed within ${hourMs}`, "watch ended", "stopping"]);
  });

  it("closes the port last, with little time for idle connections, where new requests are answered with 429", async () => {
    const { shutdown, steps } = recorded({ sendRetryAfter: true });
    shutdown.isServing = true;
    await shutdown.run();
    assert.deepEqual(steps, ["begun", "port closed within 2000", "watch ended", "stopping"]);
  });

  it("ends watches before the port closes where they have a time to end", async () => {
    const { shutdown, steps } = recorded({ sendRetryAfter: true, watchGraceMs: 1 });
    shutdown.isServing = true;
    await shutdown.run();
    assert.deepEqual(steps, ["begun", "watch ended", "port closed within 2000", "stopping"]);
  });

  it("waits for no delay when the start has failed", async () => {
    const { shutdown, steps } = recorded({ delayMs: hourMs });
    await shutdown.run();
    assert.equal(steps.at(-1), "stopping");
  });

  it("has no port to close when the start has failed before", async () => {
    const { shutdown, steps } = recorded({ delayMs: hourMs });
    shutdown.closePort = undefined;
    await shutdown.run();
    assert.deepEqual(steps, ["begun", "stopping"]);
  });
});
