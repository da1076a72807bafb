import type { ClientAuthorization, ClientIdentity, ExecCluster } from "./client-config.js";
import { parseExec } from "./parse-exec.js";
import { type Reading, readPem, resolvePath } from "./read-pem.js";
import type { Section } from "./section.js";

/**
 * Reads the entry of a user. `cluster` is what a credential plugin is told of the cluster if it wants to know. What these
 * clients cannot do (auth providers, impersonation) is a problem, not something to ignore.
 */
export async function parseUser(
  user: Section,
  cluster: ExecCluster | undefined,
  reading: Reading,
): Promise<ClientIdentity> {
  const exec = parseExec(user, cluster, reading);
  user.refuse("auth-provider", "auth providers are not supported");
  for (const key of ["as", "as-uid", "as-groups", "as-user-extra"]) {
    user.refuse(key, "impersonation is not supported here");
  }
  const certificate = await readPem(user, "client-certificate", reading);
  const key = await readPem(user, "client-key", reading);
  const declared = (name: string) => user.string(name) !== undefined || user.string(`${name}-data`) !== undefined;
  if (declared("client-certificate") !== declared("client-key")) {
    reading.add(user.path, "client-certificate and client-key must be given together");
  }
  const authorization = parseAuthorization(user, reading);
  const files = {
    ...(certificate?.file === undefined ? {} : { certFile: certificate.file }),
    ...(key?.file === undefined ? {} : { keyFile: key.file }),
  };
  return {
    ...(certificate === undefined || key === undefined
      ? {}
      : { clientCertificate: { certificatePem: certificate.text, keyPem: key.text } }),
    ...(Object.keys(files).length === 0 ? {} : { clientCertificateFiles: files }),
    ...(authorization === undefined ? {} : { authorization }),
    ...(exec === undefined ? {} : { exec }),
  };
}

function parseAuthorization(user: Section, reading: Reading): ClientAuthorization | undefined {
  const token = user.string("token");
  const tokenFile = user.string("tokenFile");
  const username = user.string("username");
  const password = user.string("password");
  if ((token !== undefined || tokenFile !== undefined) && username !== undefined) {
    reading.add(user.path, "more than one authentication method: token and username");
  }
  // client-go: the file wins, the token is what serves until the file can be read.
  if (tokenFile !== undefined) {
    return { kind: "tokenFile", path: resolvePath(reading, tokenFile), ...(token === undefined ? {} : { token }) };
  }
  if (token !== undefined) {
    return { kind: "token", token };
  }
  return username === undefined ? undefined : { kind: "basic", username, password: password ?? "" };
}
