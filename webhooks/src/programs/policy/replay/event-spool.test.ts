import assert from "node:assert/strict";
import { test } from "node:test";
import type { auditV1 } from "@gatehouse/envelopes/types";
import { EventSpool } from "./event-spool.js";

test("events that come latest first are read oldest first, whether they lie in memory or in several blocks", async () => {
  for (const count of [0, 1, 7, 3000]) {
    await using spool = await EventSpool.open();
    for (let n = count; n > 0; n--) {
      // A block has 4 MiB, and characters of several bytes may stand at its end.
      await spool.add({ auditID: String(n), requestURI: "ü".repeat(n % 5000) } as auditV1.Event);
    }
    const read: string[] = [];
    for await (const { auditID } of spool.oldestFirst()) {
      read.push(auditID);
    }
    assert.deepEqual(
      read,
      Array.from({ length: count }, (_item, index) => String(index + 1)),
    );
  }
});
