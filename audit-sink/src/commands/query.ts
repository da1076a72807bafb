import { type Command, parseArguments } from "@gatehouse/component-base/commands";
import { defineFlags } from "@gatehouse/component-base/flags";
import { type KeptItem, SinkClient, sinkConfigOf } from "@gatehouse/component-base/sink-client";
import { eventLine, eventLines } from "../query-client/event-lines.js";
import { eventOutputFlags, queryOf, questionFlags } from "../query-client/sink-flags.js";

const flags = defineFlags({
  limit: { type: "int", default: 100, min: 1, group: "Output", help: "Print at most so many events." },
  all: { type: "bool", group: "Output", help: "Print all events, however many they are." },
  ...eventOutputFlags,
  ...questionFlags,
});

/** `gatehouse-audit query`: prints kept events, newest first. */
export const queryCommand: Command = {
  async run(argv, io) {
    const summary = "Finds kept events, newest first.";
    const line = parseArguments({ command: "gatehouse-audit query", summary, flags }, argv, io);
    if (line === undefined) {
      return 0;
    }
    const { limit, all, output } = line.values;
    using client = new SinkClient(await sinkConfigOf(line.values, io.env), "gatehouse-audit");
    const items: KeptItem[] = [];
    for await (const item of client.events(queryOf(line.values), all ? undefined : limit)) {
      if (io.outputClosed?.aborted === true) {
        break;
      }
      if (output === "table") {
        items.push(item);
      } else {
        io.print(eventLine(item, output));
      }
    }
    if (output === "table") {
      if (items.length === 0) {
        io.printError("no events");
      } else {
        for (const text of eventLines(items, output)) {
          io.print(text);
        }
      }
    }
    return 0;
  },
};
