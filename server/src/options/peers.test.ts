import assert from "node:assert/strict";
import { test } from "node:test";
import { parseFeatureGates, parseRuntimeConfig } from "@gatehouse/apiserver/options";
import { parseFlags } from "@gatehouse/component-base/flags";
import type { Problem } from "@gatehouse/component-base/problems";
import { type PeersConfig, peerFlags, resolvePeers, warningsAboutStorageVersions } from "./peers.js";

const both = "StorageVersionAPI=true,UnknownVersionInteroperabilityProxy=true";
const proxyClient = { certFile: "/front.crt", keyFile: "/front.key" };

function resolve(
  gates: string,
  flags: readonly string[],
  client: typeof proxyClient | "none" = proxyClient,
): { readonly config: PeersConfig | undefined; readonly messages: readonly string[] } {
  const parsed = parseFlags(peerFlags, flags);
  assert.equal(parsed.outcome, "run");
  const problems: Problem[] = [];
  const values = (parsed as Extract<typeof parsed, { outcome: "run" }>).values;
  const config = resolvePeers(
    values,
    parseFeatureGates(gates).gates,
    { proxyClient: client === "none" ? undefined : client },
    problems,
  );
  return { config, messages: problems.map(({ message }) => message) };
}

test("with the feature, requests are passed on where the authorities of others are known", () => {
  const flags = ["--peer-ca-file=/ca.crt", "--peer-advertise-ip=192.0.2.7", "--peer-advertise-port=6443"];
  assert.deepEqual(resolve(both, flags), {
    config: { trust: { authorityFile: "/ca.crt", ...proxyClient }, advertised: { host: "192.0.2.7", port: 6443 } },
    messages: [],
  });
  assert.deepEqual(resolve(both, []), { config: { trust: undefined, advertised: undefined }, messages: [] });
});

test("an address without a port counts for nothing, as in v1.29", () => {
  assert.equal(resolve(both, ["--peer-advertise-ip=192.0.2.7"]).config?.advertised, undefined);
  assert.equal(resolve(both, ["--peer-advertise-port=6443"]).config?.advertised, undefined);
});

test("without the feature its flags are refused in the words of v1.29", () => {
  const flags = ["--peer-ca-file=/ca.crt", "--peer-advertise-ip=192.0.2.7", "--peer-advertise-port=6443"];
  assert.deepEqual(resolve("", flags), {
    config: undefined,
    messages: ["peer-ca-file", "peer-advertise-ip", "peer-advertise-port"].map(
      (name) => `--${name} requires UnknownVersionInteroperabilityProxy feature to be turned on`,
    ),
  });
});

test("the feature needs another one, and the certificate of a front proxy", () => {
  assert.deepEqual(resolve("UnknownVersionInteroperabilityProxy=true", []).messages, [
    "--feature-gates: UnknownVersionInteroperabilityProxy feature requires StorageVersionAPI feature flag to be enabled",
  ]);
  assert.deepEqual(resolve(both, ["--peer-ca-file=/ca.crt"], "none").messages, [
    "--proxy-client-cert-file: error building peer proxy handler, proxy-cert-file not specified",
  ]);
});

test("what is no address or no port is refused", () => {
  assert.deepEqual(resolve(both, ["--peer-advertise-ip=a b", "--peer-advertise-port=x"]).messages, [
    '--peer-advertise-ip: "a b" is no address',
    '--peer-advertise-port: "x" is no port',
  ]);
  assert.deepEqual(resolve(both, ["--peer-advertise-port=70000"]).messages, [
    '--peer-advertise-port: "70000" is no port',
  ]);
  assert.deepEqual(resolve(both, ["--peer-advertise-ip=api.example.com", "--peer-advertise-port=1"]).messages, []);
});

test("a server that should register StorageVersions and does not serve them is warned about", () => {
  const registered = new Map([["internal.apiserver.k8s.io", ["v1alpha1"]]]);
  const warnings = (gates: string, settings: Readonly<Record<string, string>> = {}): readonly string[] =>
    warningsAboutStorageVersions(
      parseFeatureGates(gates).gates,
      parseRuntimeConfig(new Map(Object.entries(settings)), registered).config,
    );
  assert.deepEqual(warnings("StorageVersionAPI=true"), [
    "--feature-gates: StorageVersionAPI is on and StorageVersions are not served, so that no write is taken; --runtime-config=internal.apiserver.k8s.io/v1alpha1=true serves them",
  ]);
  assert.deepEqual(warnings("StorageVersionAPI=true", { "internal.apiserver.k8s.io/v1alpha1": "true" }), []);
  assert.deepEqual(warnings("StorageVersionAPI=true", { "api/all": "true" }), []);
  assert.deepEqual(warnings("StorageVersionAPI=true,APIServerIdentity=false"), []);
  assert.deepEqual(warnings(""), []);
});
