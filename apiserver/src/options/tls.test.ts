import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseFlags } from "@gatehouse/component-base/flags";
import { formatProblems, type Problem } from "@gatehouse/component-base/problems";
import { resolveServingCertificate, resolveTls, type TlsConfig, tlsFlags } from "./tls.js";

function resolve(...argv: string[]): { config: TlsConfig; text: string; warnings: readonly string[] } {
  const parsed = parseFlags(tlsFlags, argv);
  assert.ok(parsed.outcome === "run", JSON.stringify(parsed));
  const problems: Problem[] = [];
  const warnings: string[] = [];
  const config = resolveTls(parsed.values, problems, warnings);
  return { config, text: problems.length === 0 ? "" : formatProblems(problems), warnings };
}

describe("The flags of TLS", () => {
  it("serve TLS 1.2 and the suites of Node when none is given", () => {
    const { config, text, warnings } = resolve();
    assert.deepEqual(config, { minVersion: "TLSv1.2", ciphers: undefined, named: [], sharesPort: false });
    assert.deepEqual([text, warnings], ["", []]);
  });

  it("turn Go's names of suites into OpenSSL's, with all suites of TLS 1.3", () => {
    const { config, warnings } = resolve(
      "--tls-cipher-suites=TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,TLS_RSA_WITH_RC4_128_SHA",
    );
    assert.equal(
      config.ciphers,
      "TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256:ECDHE-RSA-AES128-GCM-SHA256",
    );
    assert.deepEqual(warnings, [
      "--tls-cipher-suites: TLS_RSA_WITH_RC4_128_SHA is broken, and this server is built without it",
    ]);
  });

  it("refuse suites with which HTTP/2 cannot be served, unless only TLS 1.3 is", () => {
    const suites = "--tls-cipher-suites=TLS_AES_128_GCM_SHA256";
    assert.match(resolve(suites).text, /--tls-cipher-suites: is missing an HTTP\/2-required AES_128_GCM_SHA256 cipher/);
    assert.equal(resolve(suites, "--tls-min-version=VersionTLS13").text, "");
  });

  it("warn about versions that are not served, and names that no client asks for", () => {
    assert.deepEqual(resolve("--tls-min-version=VersionTLS10", "--tls-sni-cert-key=c,k:10.0.0.1,a.b").warnings, [
      "--tls-min-version=VersionTLS10: TLS 1.2 is the oldest version that is served",
      "--tls-sni-cert-key: clients never ask for 10.0.0.1, since it is an IP address",
    ]);
  });

  it("take a certificate and its key together alone", () => {
    const files = (...argv: string[]): unknown => {
      const parsed = parseFlags(tlsFlags, argv);
      assert.ok(parsed.outcome === "run");
      const problems: Problem[] = [];
      return resolveServingCertificate(parsed.values, problems) ?? problems.map(({ message }) => message);
    };
    assert.deepEqual(files(), []);
    assert.deepEqual(files("--tls-cert-file=/a", "--tls-private-key-file=/b"), { certFile: "/a", keyFile: "/b" });
    assert.deepEqual(files("--tls-cert-file=/a"), [
      "--tls-private-key-file: must be given together with --tls-cert-file",
    ]);
    assert.deepEqual(files("--tls-private-key-file=/b"), [
      "--tls-cert-file: must be given together with --tls-private-key-file",
    ]);
  });
});
