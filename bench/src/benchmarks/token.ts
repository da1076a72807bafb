import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { exportJWK, SignJWT } from "jose";
import type { Benchmark } from "../benchmark.js";
import type { Certificates } from "../certificates.js";
import { collectionPath, configMapJson, configMapName } from "../config-maps.js";
import { answeredRounds } from "../load/answered-rounds.js";
import { startGatehouse } from "../processes/gatehouse.js";
import { startLoadGenerator } from "../processes/start-children.js";
import { interleave } from "../rounds.js";

/** Measures the cost of an identity token over a client certificate, on the same server. */
export const tokenBenchmark: Benchmark = {
  name: "token",
  what: "get a 1 KB ConfigMap, HTTP/1.1, 32 connections, OpenID Connect token",
  limit: "the same with a client certificate",
  unit: "requests/s",
  wanted: { atLeast: 0.85 },
  async run(environment) {
    const { certificates, roundMs } = environment;
    await using issuer = await startIssuer(certificates);
    await using gatehouse = await startGatehouse(environment, undefined, [
      `--oidc-issuer-url=${issuer.url}`,
      "--oidc-client-id=bench",
      `--oidc-ca-file=${certificates.caFile}`,
      "--oidc-groups-claim=groups",
    ]);
    await using load = startLoadGenerator();
    const objectName = configMapName(0);
    const path = `${collectionPath}/${objectName}`;
    await gatehouse.request("POST", collectionPath, configMapJson(objectName));
    const token = await issuer.token();
    const side = (withToken: boolean) =>
      answeredRounds(
        load,
        {
          port: gatehouse.port,
          certificates: withToken ? { caFile: certificates.caFile } : certificates,
          pids: [gatehouse.pid],
        },
        { request: { method: "GET", path, ...(withToken ? { token } : {}) }, roundMs },
      );
    return await interleave(environment.rounds, side(true), side(false));
  },
};

interface Issuer extends AsyncDisposable {
  readonly url: string;
  token(): Promise<string>;
}

/** An issuer with one key, which has nothing to do while the benchmark runs. */
async function startIssuer({ certFile, keyFile }: Certificates): Promise<Issuer> {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const keys = [{ ...(await exportJWK(publicKey)), kid: "bench" }];
  const tls = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
  const server = createServer(tls, (request, response) => {
    const isKeys = request.url === "/keys";
    response.end(JSON.stringify(isKeys ? { keys } : { issuer: url, jwks_uri: `${url}/keys` }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    token: () =>
      new SignJWT({ groups: ["developers", "operators"] })
        .setProtectedHeader({ alg: "RS256", kid: "bench" })
        .setIssuer(url)
        .setAudience("bench")
        .setSubject("jane")
        .setIssuedAt()
        .setExpirationTime("1h")
        .sign(privateKey),
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}
