import assert from "node:assert/strict";
import { after, before, describe, it, mock } from "node:test";

const comparison = new URL("../../differential/lib/comparable.mjs", import.meta.url);

describe("What recorded answers are compared without", () => {
  let comparable: (answer: { readonly body: Buffer }) => unknown;
  before(async () => {
    mock.timers.enable({ apis: ["Date"], now: Date.parse("2026-11-30T23:50:00Z") });
    ({ comparable } = (await import(comparison.href)) as { comparable: typeof comparable });
  });
  after(() => mock.timers.reset());

  const compared = (time: string) => comparable({ body: Buffer.from(JSON.stringify({ time })) });

  it("are times of the run, also when it goes on into the next month", () => {
    assert.deepEqual(compared("2026-11-30T23:59:59Z"), { time: "NOW" });
    mock.timers.setTime(Date.parse("2026-12-01T00:00:01Z"));
    assert.deepEqual(compared("2026-11-30T23:59:59Z"), { time: "NOW" });
    assert.deepEqual(compared("2026-12-01T00:00:00.123456Z"), { time: "NOW" });
  });

  it("are no times of other days", () => {
    assert.deepEqual(compared("2024-12-01T00:00:00Z"), { time: "2024-12-01T00:00:00Z" });
    assert.deepEqual(compared("2031-01-01T00:00:00Z"), { time: "2031-01-01T00:00:00Z" });
  });
});
