import assert from "node:assert/strict";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { get } from "node:https";
import { networkInterfaces } from "node:os";
import { describe, it } from "node:test";
import { startAuditedServer } from "../support/audited-server.js";
import { until } from "../support/until.js";

const hasIPv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === "::1"));
const skip = hasIPv6 ? false : "the machine has no IPv6";

describe("A server at an unspecified address", { skip }, () => {
  for (const [bindAddress, workers] of [
    ["0.0.0.0", 1],
    ["::", 1],
    ["0.0.0.0", 2],
  ] as const) {
    it(`is reached at addresses of both families, and records them: ${bindAddress}, ${workers} workers`, async () => {
      await using audited = await startAuditedServer({
        policy: { rules: [{ level: "Metadata" }] },
        flags: () => [
          `--bind-address=${bindAddress}`,
          `--workers=${workers}`,
          ...["--controllers=system-namespaces-controller", "--audit-webhook-batch-max-wait=50ms"],
        ],
      });
      const { certificateAuthorityPem: ca, clientCertificate } = audited.server.clientConfig;
      const { certificatePem: cert, keyPem: key } = clientCertificate ?? {};
      for (const host of ["127.0.0.1", "::1"]) {
        const headers = { "audit-id": `from ${host}` };
        // The certificate of test servers is for 127.0.0.1 alone.
        const tls = { ca, cert, key, checkServerIdentity: () => undefined };
        const request = get({ ...tls, host, port: audited.server.port, path: "/version", headers, agent: false });
        const [answer] = (await once(request, "response")) as [IncomingMessage];
        answer.resume();
        assert.equal(answer.statusCode, 200);
        const events = () => audited.receiver.events.filter(({ auditID }) => auditID === `from ${host}`);
        await until(`a request from ${host} is recorded`, () => events().length === 2);
        assert.deepEqual(
          events().map(({ sourceIPs }) => sourceIPs),
          [[host], [host]],
        );
      }
    });
  }
});
