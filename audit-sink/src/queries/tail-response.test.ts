import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import type { EventIndex, TailNews } from "../index-store/event-index.js";
import { until } from "../sink.test.support.js";
import { streamTail } from "./tail-response.js";

test("what comes while a reader is too slow is left out, and the reader is told how much", async () => {
  let tell: ((news: TailNews) => void) | undefined;
  let isFollowed = true;
  const index = {
    tail(_filter: unknown, listener: (news: TailNews) => void) {
      tell = listener;
      return () => {
        isFollowed = false;
      };
    },
  } as unknown as EventIndex;
  const server = createServer((_request, response) => void streamTail(index, { fields: {} }, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const asked = request({ host: "127.0.0.1", port: (server.address() as AddressInfo).port, agent: false });
  asked.end();
  const [response] = (await once(asked, "response")) as [IncomingMessage];
  // Nobody reads: the buffers of the connection fill up, then that of the server does.
  const large = Buffer.from(JSON.stringify({ verb: "x".repeat(1_000_000) }));
  const count = 30;
  for (let position = 0; position < count; position++) {
    tell?.({ events: [{ position, sender: "s", json: large }], skipped: 1 });
  }
  let told = 0;
  let skipped = 0;
  let rest = "";
  await new Promise<void>((resolve) => {
    response.setEncoding("utf8").on("data", (text: string) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines.filter((each) => each !== "")) {
        const document = JSON.parse(line) as { skipped?: number; event?: unknown };
        told += document.event === undefined ? 0 : 1;
        skipped += document.skipped ?? 0;
        // The next news tells of what was left out.
        tell?.({ events: [], skipped: 0 });
      }
      if (skipped + told === 2 * count) {
        resolve();
      }
    });
  });
  assert.ok(told > 3 && told < 20, String(told));
  assert.equal(skipped, 2 * count - told);
  // Cut off, which the reader's side calls an error.
  response.on("error", () => undefined);
  asked.destroy();
  server.close();
  await until(() => !isFollowed);
});
