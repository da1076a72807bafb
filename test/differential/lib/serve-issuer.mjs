// Serves the discovery document and the keys of an issuer of ID tokens:
//   node serve-issuer.mjs PORT CERTIFICATE KEY KEYS
// KEYS is a file of private keys as JWKs, of which the public parts are told.
import { readFileSync } from "node:fs";
import { createServer } from "node:https";

const [port, certificate, key, keysFile] = process.argv.slice(2);
const issuer = `https://127.0.0.1:${port}`;
const keys = JSON.parse(readFileSync(keysFile, "utf8")).map(({ kty, n, e, crv, x, y, kid, alg, use }) => ({
  kty,
  n,
  e,
  crv,
  x,
  y,
  kid,
  alg,
  use,
}));
const documents = {
  "/.well-known/openid-configuration": {
    issuer,
    jwks_uri: `${issuer}/keys`,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    id_token_signing_alg_values_supported: ["RS256", "ES256", "PS256", "RS512"],
    response_types_supported: ["id_token"],
    subject_types_supported: ["public"],
  },
  "/keys": { keys },
};

createServer({ cert: readFileSync(certificate), key: readFileSync(key) }, (request, response) => {
  const document = documents[request.url ?? ""];
  response.writeHead(document === undefined ? 404 : 200, { "content-type": "application/json" });
  response.end(JSON.stringify(document ?? {}));
}).listen(Number(port), "127.0.0.1");
