import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  forecastOf,
  libraryPolicyFile,
  readVolumeTable,
  recordWorkload,
  volumeOf,
  volumeTable,
} from "./record-workload.js";

/** Numbers of a table, row by row: events and KiB. */
function numbersOf(table: string): readonly (readonly number[])[] {
  const rows = table.split("\n").slice(2);
  return rows.map((row) =>
    row
      .split("|")
      .slice(2, 4)
      .map((cell) => Number.parseFloat(cell)),
  );
}

function isWithin(actual: number, expected: number, share: number): boolean {
  return Math.abs(actual - expected) <= share * expected;
}

describe("audit policies on the sample workload", () => {
  test("a forecast from what a full policy has recorded comes within 5% of what another policy then records", async () => {
    const recorded = await recordWorkload(fileURLToPath(libraryPolicyFile("full")));
    const produced = volumeOf(await recordWorkload(fileURLToPath(libraryPolicyFile("recommended"))));
    const { forecast } = await forecastOf("recommended", recorded);
    const told = JSON.stringify({ produced, forecast });
    assert.ok(isWithin(forecast.events, produced.events, 0.05), told);
    assert.ok(isWithin(forecast.bytes, produced.bytes, 0.05), told);
    // The figures in the README are those of this workload; new fields in events move them a little.
    const now = numbersOf(await volumeTable(recorded));
    const written = numbersOf(await readVolumeTable());
    for (const [row, numbers] of now.entries()) {
      for (const [column, value] of numbers.entries()) {
        const figures = `${JSON.stringify({ now, written })}: run node test/dist/audit-volume/measure.js`;
        assert.ok(isWithin(value, written[row]?.[column] ?? 0, 0.25), figures);
      }
    }
  });
});
