import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseFlags } from "@gatehouse/component-base/flags";
import { formatProblems, type Problem } from "@gatehouse/component-base/problems";
import { leaderElectionFlags, resolveElectionTimes } from "./leader-election.js";

describe("the flags of leader election", () => {
  it("have v1.29's defaults", () => {
    const parsed = parseFlags(leaderElectionFlags, []);
    assert.ok(parsed.outcome === "run");
    assert.deepEqual(resolveElectionTimes(parsed.values, []), {
      leaseDurationMs: 15_000,
      renewDeadlineMs: 10_000,
      retryPeriodMs: 2000,
    });
  });

  for (const { title, argv, problem } of [
    {
      title: "a deadline as long as the lease",
      argv: ["--leader-elect-renew-deadline=15s"],
      problem: "--leader-elect-lease-duration: must be greater than --leader-elect-renew-deadline",
    },
    {
      title: "a retry period that leaves no time for a second try",
      argv: ["--leader-elect-retry-period=9s"],
      problem: "--leader-elect-renew-deadline: must be greater than 1.2 times --leader-elect-retry-period",
    },
    {
      title: "a duration that a Lease cannot hold",
      argv: ["--leader-elect-lease-duration=15500ms"],
      problem: "--leader-elect-lease-duration: must be whole seconds",
    },
  ]) {
    it(`refuse ${title}`, () => {
      const parsed = parseFlags(leaderElectionFlags, argv);
      assert.ok(parsed.outcome === "run");
      const problems: Problem[] = [];
      resolveElectionTimes(parsed.values, problems);
      assert.equal(formatProblems(problems).trim(), problem);
    });
  }
});
