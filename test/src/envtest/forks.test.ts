import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import { CoreV1Api, KubeConfig } from "@kubernetes/client-node";
import { gatehouseScript } from "../support/programs.js";
import { EnvtestPair } from "./pair.js";

const configMap = (name: string): object => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } });
const configMaps = "/api/v1/namespaces/default/configmaps";

function apiOf(kubeconfig: string): CoreV1Api {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromString(kubeconfig);
  return kubeConfig.makeApiClient(CoreV1Api);
}

async function namesIn(api: CoreV1Api): Promise<readonly (string | undefined)[]> {
  return (await api.listNamespacedConfigMap({ namespace: "default" })).items.map(({ metadata }) => metadata?.name);
}

describe("forks of the kube-apiserver for test harnesses", () => {
  let binaries: string;
  let pair: EnvtestPair;
  before(async () => {
    binaries = await mkdtemp(join(tmpdir(), "gatehouse-envtest-"));
    await promisify(execFile)(process.execPath, [gatehouseScript, "envtest", "install", binaries]);
    pair = await EnvtestPair.prepare(binaries);
    await pair.startBoth();
    await pair.send("POST", configMaps, configMap("shared"));
  });
  after(async () => {
    await pair[Symbol.asyncDispose]();
    await rm(binaries, { recursive: true, force: true });
  });

  it("answers with a kubeconfig of a clone, which others do not see", async () => {
    const [one, two] = await Promise.all([pair.send("POST", "/forks"), pair.send("POST", "/forks")]);
    assert.deepEqual([one.status, two.status], [201, 201]);
    const [first, second] = [apiOf(one.body), apiOf(two.body)];
    await first.createNamespacedConfigMap({ namespace: "default", body: { metadata: { name: "of-the-first" } } });
    await pair.send("POST", configMaps, configMap("of-the-parent"));
    assert.deepEqual(await namesIn(first), ["of-the-first", "shared"]);
    assert.deepEqual(await namesIn(second), ["shared"]);
  });

  it("ends a fork, and knows those that are there", async () => {
    const { body } = await pair.send("POST", "/forks");
    const name = (JSON.parse(body) as { "current-context": string })["current-context"];
    const forks = async () => Object.keys((JSON.parse((await pair.get("/forks")).body) as { forks: object }).forks);
    assert.ok((await forks()).includes(name));
    assert.equal((await pair.send("DELETE", `/forks/${name}`)).status, 200);
    assert.ok(!(await forks()).includes(name));
    await assert.rejects(namesIn(apiOf(body)));
    const again = await pair.send("DELETE", `/forks/${name}`);
    assert.deepEqual([again.status, JSON.parse(again.body).reason], [404, "NotFound"]);
  });

  it("refuses who may not, and methods that mean nothing", async () => {
    assert.equal((await pair.send("POST", "/forks", undefined, "anonymous")).status, 403);
    assert.equal((await pair.send("PUT", "/forks")).status, 405);
    assert.equal((await pair.get("/forks/fork-1")).status, 405);
  });
});
