import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { describe, test } from "node:test";
import { connect, createServer, type Server, type TLSSocket } from "node:tls";
import { identifyCallers } from "./caller-certificates.js";
import { type ChainCase, chainCases } from "./certificate-chains.test.support.js";
import { peerCertificateOf } from "./peer-certificate.js";
import { verifyClients } from "./verify-clients.js";

const times = /\d{4}-\d{2}-\d{2}T[\d:]{8}Z/g;
// A client of today's defaults would not show a signature with SHA-1.
const ciphers = "DEFAULT:@SECLEVEL=0";
const cases = await chainCases("client");
const serving = await servingPair();

/** A certificate for the server, which its clients do not look at. */
async function servingPair(): Promise<ChainCase> {
  const [first] = await chainCases("server");
  assert.ok(first !== undefined);
  return first;
}

function listen(authoritiesPem: string): Promise<Server> {
  const server = createServer({
    cert: serving.shownPem,
    key: serving.keyPem,
    ca: authoritiesPem,
    requestCert: true,
    rejectUnauthorized: false,
  });
  server.listen(0, "127.0.0.1");
  return once(server, "listening").then(() => server);
}

/** Connects as the client of a case; the socket is the server's. */
async function withClient(
  { shownPem, keyPem }: Pick<ChainCase, "shownPem" | "keyPem">,
  server: Server,
  use: (socket: TLSSocket) => Promise<void>,
): Promise<void> {
  const { port } = server.address() as AddressInfo;
  const connected = once(server, "secureConnection");
  const client = connect({ port, host: "127.0.0.1", cert: shownPem, key: keyPem, ciphers, rejectUnauthorized: false });
  try {
    const [socket] = (await connected) as [TLSSocket];
    await use(socket);
  } finally {
    client.destroy();
  }
}

const verifyFor = (authorities: () => string, otherAuthorities: boolean) =>
  verifyClients({
    authorities,
    otherAuthorities,
    now: Date.now,
    conclude: (shown) => ({ text: shown === undefined ? "none" : (shown.problem ?? "trusted").replace(times, "TIME") }),
  });

/** Releases of Node with https://github.com/nodejs/node/issues/65579 hide intermediates from servers. */
function hidesIntermediates(socket: TLSSocket, { shownPem }: ChainCase): boolean {
  const isChain = shownPem.split("BEGIN CERTIFICATE").length > 2;
  return isChain && peerCertificateOf(socket)?.issuerCertificate === undefined;
}

describe("A client is believed when v1.29 would believe it, on every connection:", () => {
  for (const known of cases) {
    const { title, problem, authoritiesPem } = known;
    test(`${title}: ${problem ?? "believed"}`, async (context) => {
      const server = await listen(authoritiesPem);
      const outcome = problem === undefined ? "trusted" : "rejected";
      try {
        for (const otherAuthorities of [false, true]) {
          const verify = verifyFor(() => authoritiesPem, otherAuthorities);
          const identify = identifyCallers(() => authoritiesPem);
          await withClient(known, server, async (socket) => {
            if (hidesIntermediates(socket, known)) {
              context.skip("this Node hides intermediates");
              return;
            }
            assert.deepEqual(await verify(socket), { text: problem ?? "trusted" });
            assert.equal((await identify(socket)).outcome, outcome);
          });
        }
      } finally {
        server.close();
      }
    });
  }
});

test("requests of one connection wait for one search, and after it for nothing", async () => {
  const [known] = cases;
  assert.ok(known !== undefined);
  const server = await listen(known.authoritiesPem);
  const verify = verifyFor(() => known.authoritiesPem, false);
  await withClient(known, server, async (socket) => {
    const [first, second] = await Promise.all([verify(socket), verify(socket)]);
    assert.equal(first, second);
    assert.equal(verify(socket), first);
  });
  server.close();
});

test("a client that only the search believes is believed no more when its authority is gone", async () => {
  const [known] = cases;
  assert.ok(known !== undefined);
  const server = await listen(known.authoritiesPem);
  let authorities = known.authoritiesPem;
  const verify = verifyFor(() => authorities, false);
  await withClient(known, server, async (socket) => {
    assert.deepEqual(await verify(socket), { text: "trusted" });
    authorities = "";
    assert.deepEqual(await verify(socket), { text: "certificate signed by unknown authority" });
    authorities = known.authoritiesPem;
    assert.deepEqual(await verify(socket), { text: "trusted" });
  });
  server.close();
});

test("a verdict of OpenSSL that is about something else stands, even where the chain is good", async () => {
  const [known] = cases;
  assert.ok(known !== undefined);
  const server = await listen(known.authoritiesPem);
  await withClient(known, server, async (socket) => {
    for (const code of ["CERT_REVOKED", "EE_KEY_TOO_SMALL", "INVALID_CA", "unknown"]) {
      Object.assign(socket, { authorizationError: code });
      const verify = verifyFor(() => known.authoritiesPem, false);
      assert.deepEqual(await verify(socket), { text: `certificate is not valid (${code})` });
    }
  });
  server.close();
});
