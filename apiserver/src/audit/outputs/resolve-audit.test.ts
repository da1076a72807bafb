import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parseFlags } from "@gatehouse/component-base/flags";
import type { Problem } from "@gatehouse/component-base/problems";
import { auditFlags } from "./audit-flags.js";
import type { LogOutputSettings } from "./log/log-output.js";
import { resolveAudit } from "./resolve-audit.js";
import type { WebhookOutputSettings } from "./webhook/webhook-output.js";

/** The settings of what the flags ask for. */
interface Config {
  readonly policyFile: unknown;
  readonly log: LogOutputSettings | undefined;
  readonly webhook: WebhookOutputSettings | undefined;
}

function resolve(...argv: readonly string[]): {
  readonly config: Config | undefined;
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
} {
  const parsed = parseFlags(auditFlags, argv);
  assert.equal(parsed.outcome, "run");
  const problems: Problem[] = [];
  const warnings: string[] = [];
  const resolved = parsed.outcome === "run" ? resolveAudit(parsed.values, problems, warnings) : undefined;
  const settingsOf = (name: string) => {
    const output = resolved?.outputs.find((each) => each.name === name);
    return output && "settings" in output ? output.settings : undefined;
  };
  const config = resolved && {
    policyFile: resolved.policy,
    log: settingsOf("log") as LogOutputSettings | undefined,
    webhook: settingsOf("webhook") as WebhookOutputSettings | undefined,
  };
  return { config, problems: problems.map(({ message }) => message), warnings };
}

const log = "--audit-log-path=/a.log";
const webhook = "--audit-webhook-config-file=/kubeconfig";
const policy = "--audit-policy-file=/policy";

/** Messages of v1.29. */
const refused: readonly (readonly [name: string, argv: readonly string[], problems: readonly string[]])[] = [
  [
    "a mode that there is not",
    [log, "--audit-log-mode=fast", webhook, "--audit-webhook-mode=slow"],
    [
      'invalid audit log mode fast, allowed modes are "batch,blocking,blocking-strict"',
      'invalid audit webhook mode slow, allowed modes are "batch,blocking,blocking-strict"',
    ],
  ],
  [
    "no room for events",
    [webhook, "--audit-webhook-batch-buffer-size=0"],
    ["invalid audit batch webhook buffer size 0, must be a positive number"],
  ],
  [
    "batches of none",
    [log, "--audit-log-mode=batch", "--audit-log-batch-max-size=-1"],
    ["invalid audit batch log max batch size -1, must be a positive number"],
  ],
  [
    "a throttle that lets nothing through",
    [webhook, "--audit-webhook-batch-throttle-qps=0"],
    ["invalid audit batch webhook throttle QPS 0, must be a positive number"],
  ],
  [
    "a throttle without burst",
    [log, "--audit-log-mode=batch", "--audit-log-batch-throttle-enable", "--audit-log-batch-throttle-qps=1"],
    ["invalid audit batch log throttle burst 0, must be a positive number"],
  ],
  [
    "events of no size",
    [webhook, "--audit-webhook-truncate-max-event-size=0"],
    ["invalid audit truncate webhook max event size 0, must be a positive number"],
  ],
  [
    "batches that are smaller than events",
    [log, "--audit-log-truncate-max-batch-size=5"],
    ["invalid audit truncate log max batch size 5, must be greater than max event size (102400)"],
  ],
  [
    "a version that there is not",
    [log, "--audit-log-version=audit.k8s.io/v1beta1"],
    ['invalid group version, allowed versions are [{"audit.k8s.io" "v1"}]'],
  ],
  ["a version that is none", [webhook, "--audit-webhook-version=a/b/c"], ["unexpected GroupVersion string: a/b/c"]],
  [
    "a format that there is not",
    [log, "--audit-log-format=xml"],
    ['invalid audit log format xml, allowed formats are "legacy,json"'],
  ],
  [
    "negative rotation",
    [log, "--audit-log-maxage=-1", "--audit-log-maxbackup=-2", "--audit-log-maxsize=-3"],
    [
      "--audit-log-maxage -1 can't be a negative number",
      "--audit-log-maxbackup -2 can't be a negative number",
      "--audit-log-maxsize -3 can't be a negative number",
    ],
  ],
  [
    "a spool without webhook",
    ["--audit-webhook-spool-dir=/spool"],
    ["--audit-webhook-spool-dir: needs --audit-webhook-config-file"],
  ],
];

describe("flags about audit", () => {
  for (const [name, argv, problems] of refused) {
    test(`refuse ${name}`, () => assert.deepEqual(resolve(policy, ...argv).problems, problems));
  }

  test("are not looked at where they are not used, as in v1.29", () => {
    assert.deepEqual(resolve(policy, "--audit-log-mode=fast", "--audit-log-format=xml").problems, []);
    const blocking = ["--audit-webhook-mode=blocking", "--audit-webhook-batch-max-size=0"];
    assert.deepEqual(resolve(policy, webhook, ...blocking).problems, []);
  });

  test("record nothing without a policy, and say so", () => {
    const { config, warnings } = resolve(log);
    assert.equal(config, undefined);
    assert.deepEqual(warnings, ["no --audit-policy-file is given: no audit events will be recorded"]);
    assert.deepEqual(resolve().warnings, []);
  });

  test("have v1.29's defaults", () => {
    const { config } = resolve(policy, log, webhook);
    assert.deepEqual(config, {
      policyFile: "/policy",
      log: {
        path: "/a.log",
        format: "json",
        mode: "blocking",
        bufferSize: 10_000,
        maxBatchSize: 1,
        maxBatchWaitMs: 0,
        throttle: undefined,
        truncation: undefined,
        maxAgeDays: 0,
        maxBackups: 0,
        maxMegabytes: 0,
        compress: false,
      },
      webhook: {
        configFile: "/kubeconfig",
        mode: "batch",
        bufferSize: 10_000,
        maxBatchSize: 400,
        maxBatchWaitMs: 30_000,
        throttle: { perSecond: 10, burst: 15 },
        truncation: undefined,
        initialBackoffMs: 10_000,
        spool: undefined,
      },
    });
  });

  test("take the older name of the backoff, and sizes of truncation and spool", () => {
    const { config } = resolve(
      policy,
      webhook,
      "--audit-webhook-batch-initial-backoff=3s",
      "--audit-webhook-truncate-enabled",
      "--audit-webhook-spool-dir=/spool",
    );
    assert.equal(config?.webhook?.initialBackoffMs, 3000);
    assert.deepEqual(config?.webhook?.truncation, { maxEventBytes: 102_400, maxBatchBytes: 10_485_760 });
    assert.deepEqual(config?.webhook?.spool, { directory: "/spool", maxBytes: 1024 * 1024 * 1024, isStrict: true });
  });

  for (const [given, mode, isStrict] of [
    [[], "batch", true],
    [["--audit-webhook-mode=batch-strict"], "batch", true],
    [["--audit-webhook-mode=batch"], "batch", false],
    [["--audit-webhook-mode=blocking"], "blocking", false],
    [["--audit-webhook-mode=blocking-strict"], "blocking-strict", true],
  ] as const) {
    test(`make a spool ${isStrict ? "strict" : "lenient"} with ${given[0] ?? "no mode"}`, () => {
      const { config, problems } = resolve(policy, webhook, "--audit-webhook-spool-dir=/spool", ...given);
      assert.deepEqual(problems, []);
      assert.equal(config?.webhook?.mode, mode);
      assert.equal(config?.webhook?.spool?.isStrict, isStrict);
    });
  }

  test("refuse the mode batch-strict without a spool", () => {
    assert.deepEqual(resolve(policy, webhook, "--audit-webhook-mode=batch-strict").problems, [
      'invalid audit webhook mode batch-strict, allowed modes are "batch,blocking,blocking-strict"',
    ]);
  });
});
