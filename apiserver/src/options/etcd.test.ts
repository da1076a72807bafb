import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseFlags } from "@gatehouse/component-base/flags";
import { formatProblems, type Problem } from "@gatehouse/component-base/problems";
import { type EtcdConfig, etcdFlags, etcdKeyPrefix, resolveEtcd } from "./etcd.js";

function resolve(...argv: string[]): { readonly config: EtcdConfig | undefined; readonly text: string } {
  const parsed = parseFlags(etcdFlags, argv);
  assert.ok(parsed.outcome === "run", JSON.stringify(parsed));
  const problems: Problem[] = [];
  const config = resolveEtcd(parsed.values, problems);
  return { config, text: problems.length === 0 ? "" : formatProblems(problems) };
}

describe("the flags of etcd", () => {
  it("leave the embedded store when there is none of them", () => {
    assert.deepEqual(resolve(), { config: undefined, text: "" });
  });

  it("select etcd by its servers alone, with v1.29's times", () => {
    const { config, text } = resolve("--etcd-servers=http://a:1,http://b:2");
    assert.equal(text, "");
    assert.deepEqual(config, {
      transport: { servers: ["http://a:1", "http://b:2"] },
      overrides: [],
      healthTimeoutMs: 2000,
      readinessTimeoutMs: 2000,
      sizePollIntervalMs: 30_000,
      leaseReuseSeconds: 60,
    });
  });

  it("give resources servers of their own", () => {
    const { config } = resolve("--etcd-servers=http://a:1", "--etcd-servers-overrides=/events#http://b:1;http://c:1");
    assert.deepEqual(config?.overrides, [{ group: "", resource: "events", servers: ["http://b:1", "http://c:1"] }]);
  });

  for (const { title, argv, problem } of [
    {
      title: "the etcd store without servers",
      argv: ["--storage-backend=etcd3"],
      problem: /--etcd-servers: must be specified/,
    },
    {
      title: "servers beside the embedded store",
      argv: ["--storage-backend=lmdb", "--etcd-servers=http://a:1"],
      problem: /--etcd-servers: is for the etcd store/,
    },
    {
      title: "a certificate without its key",
      argv: ["--etcd-servers=https://a:1", "--etcd-certfile=c"],
      problem: /--etcd-keyfile: must be given, too/,
    },
    {
      title: "an override without servers",
      argv: ["--etcd-servers=http://a:1", "--etcd-servers-overrides=/events"],
      problem: /--etcd-servers-overrides: invalid, must be of format: group\/resource#servers/,
    },
  ]) {
    it(`refuse ${title}`, () => assert.match(resolve(...argv).text, problem));
  }

  it("name a prefix of keys with or without the slashes at its ends", () => {
    for (const flag of ["/tests/1", "tests/1", "tests/1/", "//tests//1/"]) {
      assert.equal(etcdKeyPrefix(flag), "/tests/1/");
    }
    assert.equal(etcdKeyPrefix("/"), "/");
  });
});
