import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ApplyConflictsError, type Conflict } from "./apply-conflicts.js";
import type { ManagerIdentity } from "./managers.js";
import { memberElement } from "./path-element.js";

const manager = { manager: "owner", operation: "Apply", apiVersion: "v1", subresource: "" } as ManagerIdentity;

function conflictsAt(count: number, nameLength: number): Conflict[] {
  return Array.from({ length: count }, (_, index) => ({
    managerKey: "k",
    manager,
    path: [memberElement(String(index).padEnd(nameLength, "n"))],
  }));
}

describe("The conflicts of an apply", () => {
  it("are all told where their paths fit into an answer", () => {
    const error = new ApplyConflictsError(conflictsAt(9000, 20));
    assert.equal(error.told.length, 9000);
    assert.equal(error.message.split("\n- ").length, 9001);
  });

  it("are counted and told in part where their paths are longer than an answer", () => {
    const error = new ApplyConflictsError(conflictsAt(9000, 300_000));
    assert.equal(error.told.length, 4);
    assert.ok(error.message.startsWith('Apply failed with 9000 conflicts: conflicts with "owner":\n- .0nnn'));
    assert.ok(error.message.endsWith("\nmore conflicts than the first 4, which are listed here"));
    assert.ok(error.message.length < 1.3 * 1024 * 1024);
  });
});
