import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { CompactSign } from "jose";

/** An OpenID Connect issuer on 127.0.0.1. */
export interface TestIssuer extends Disposable {
  readonly url: string;
  /** A token for the audience `kubectl` and the user `jane`, unless `claims` and `header` say otherwise. */
  sign(claims?: object, header?: object): Promise<string>;
}

/** Starts an issuer with a serving certificate of its own, which knows the opaque token `robot`, too. */
export async function startTestIssuer(files: {
  readonly certFile: string;
  readonly keyFile: string;
}): Promise<TestIssuer> {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const [cert, key] = await Promise.all([readFile(files.certFile), readFile(files.keyFile)]);
  const server = createServer({ cert, key }, async (request, response) => {
    let body = "";
    for await (const piece of request) {
      body += piece;
    }
    const isKnown = new URLSearchParams(body).get("token") === "robot";
    const pages: Readonly<Record<string, object>> = {
      "/.well-known/openid-configuration": { issuer: url, jwks_uri: `${url}/keys` },
      "/keys": { keys: [{ ...publicKey.export({ format: "jwk" }), kid: "1" }] },
      "/introspect": isKnown ? { active: true, username: "robot", aud: "kubectl" } : { active: false },
    };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(pages[request.url ?? ""]));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    async sign(claims = {}, header = {}) {
      const exp = Math.floor(Date.now() / 1000) + 600;
      const content = { iss: url, aud: "kubectl", sub: "jane", groups: ["dev"], exp, ...claims };
      return await new CompactSign(Buffer.from(JSON.stringify(content)))
        .setProtectedHeader({ alg: "ES256", kid: "1", ...header })
        .sign(privateKey);
    },
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
