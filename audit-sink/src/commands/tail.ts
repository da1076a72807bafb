import { type Command, parseArguments } from "@gatehouse/component-base/commands";
import { HttpClientError } from "@gatehouse/component-base/errors";
import { defineFlags } from "@gatehouse/component-base/flags";
import { SinkClient, sinkConfigOf, sinkFlags } from "@gatehouse/component-base/sink-client";
import { pause } from "@gatehouse/component-base/time";
import { eventLine, streamHead } from "../query-client/event-lines.js";
import { eventOutputFlags, filterFlags, queryOf } from "../query-client/sink-flags.js";

const flags = defineFlags({
  ...eventOutputFlags,
  ...filterFlags,
  ...sinkFlags,
});

const retryMs = 2000;

/** `gatehouse-audit tail`: prints events as they come, until a signal stops it. */
export const tailCommand: Command = {
  async run(argv, io) {
    const summary = "Shows events as they come. What comes too fast is left out, and counted.";
    const line = parseArguments({ command: "gatehouse-audit tail", summary, flags }, argv, io);
    if (line === undefined) {
      return 0;
    }
    const { output } = line.values;
    const query = queryOf(line.values);
    using client = new SinkClient(await sinkConfigOf(line.values, io.env), "gatehouse-audit");
    const ending = new AbortController();
    const end = (): void => ending.abort();
    io.process.on("SIGINT", end);
    io.process.on("SIGTERM", end);
    io.outputClosed?.addEventListener("abort", end);
    if (output === "table") {
      io.print(streamHead());
    }
    for (let isFirst = true; !ending.signal.aborted; isFirst = false) {
      try {
        await client.tail(query, ending.signal, (item) => {
          isFirst = false;
          if ("skipped" in item) {
            io.printError(`${item.skipped} events came too fast and were left out`);
          } else {
            io.print(eventLine(item, output));
          }
        });
        io.printError("the sink has ended the connection; connecting again");
      } catch (error) {
        if (ending.signal.aborted) {
          break;
        }
        // What never worked is not tried for ever.
        if (isFirst || !(error instanceof HttpClientError)) {
          throw error;
        }
        io.printError(`${error.message}; connecting again`);
      }
      await pause(retryMs, ending.signal);
    }
    return 0;
  },
};
