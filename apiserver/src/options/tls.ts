import { isIP } from "node:net";
import type { FlagTable, FlagValues } from "@gatehouse/component-base/flags";
import { type Problem, problemAt } from "@gatehouse/component-base/problems";
import { cipherSuites } from "./cipher-suites.js";

const group = "Secure serving";

/** The flags of TLS, named as kube-apiserver names them. */
export const tlsFlags = {
  "tls-cert-file": {
    type: "path",
    group,
    help: "`file` with the serving certificate, intermediates after it. Followed as it is replaced.",
  },
  "tls-private-key-file": {
    type: "path",
    group,
    help: "`file` with the private key of --tls-cert-file.",
  },
  "tls-min-version": {
    type: "string",
    default: "",
    group,
    help: "The oldest `version` of TLS that is served: VersionTLS12, the default, or VersionTLS13. TLS 1.0 and 1.1 are not served.",
  },
  "tls-cipher-suites": {
    type: "stringList",
    group,
    help: "`names` of the cipher suites of TLS 1.2 that are served, as Go names them; those of TLS 1.3 always are. Those of Node when not given.",
  },
  "tls-sni-cert-key": {
    type: "stringList",
    keepCommas: true,
    group,
    help: "A certificate and its key for some names: `file,file:name,name`. Names may begin with *. and are those in the certificate when not given. Repeatable; the first one that fits counts. Followed as it is replaced.",
  },
  "permit-port-sharing": {
    type: "bool",
    group,
    help: "Open the port with SO_REUSEPORT, so that several processes can share it. Needs Node 22.12 or newer.",
  },
} as const satisfies FlagTable;

/** The TLS settings of the port. */
export interface TlsConfig {
  /** The oldest version that is served. */
  readonly minVersion: "TLSv1.2" | "TLSv1.3";
  /** The cipher suites as OpenSSL lists them; undefined for those of Node. */
  readonly ciphers: string | undefined;
  /** Certificates for some names, in the order in which they count. */
  readonly named: readonly NamedCertificateFiles[];
  /** True if the port may be opened by several processes. */
  readonly sharesPort: boolean;
}

/** The files of a certificate, and the names that it is for; those in the certificate when there are none. */
export interface NamedCertificateFiles extends ServingCertificateFiles {
  readonly names: readonly string[];
}

const versions: ReadonlyMap<string, TlsConfig["minVersion"]> = new Map([
  ["", "TLSv1.2"],
  ["VersionTLS10", "TLSv1.2"],
  ["VersionTLS11", "TLSv1.2"],
  ["VersionTLS12", "TLSv1.2"],
  ["VersionTLS13", "TLSv1.3"],
]);

/** The files of the serving certificate. */
export interface ServingCertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** Returns the files of the serving certificate, undefined without any. Adds a problem when one of the two is missing. */
export function resolveServingCertificate(
  flags: Pick<FlagValues<typeof tlsFlags>, "tls-cert-file" | "tls-private-key-file">,
  problems: Problem[],
): ServingCertificateFiles | undefined {
  const certFile = flags["tls-cert-file"];
  const keyFile = flags["tls-private-key-file"];
  if (certFile !== undefined && keyFile !== undefined) {
    return { certFile, keyFile };
  }
  if (certFile !== undefined) {
    problems.push(problemAt("--tls-private-key-file", "must be given together with --tls-cert-file"));
  }
  if (keyFile !== undefined) {
    problems.push(problemAt("--tls-cert-file", "must be given together with --tls-private-key-file"));
  }
  return undefined;
}

/** Checks the TLS settings of the port. Adds problems and warnings. */
export function resolveTls(flags: FlagValues<typeof tlsFlags>, problems: Problem[], warnings: string[]): TlsConfig {
  const asked = flags["tls-min-version"];
  const minVersion = versions.get(asked);
  if (minVersion === undefined) {
    problems.push(problemAt("--tls-min-version", `unknown tls version ${JSON.stringify(asked)}`));
  }
  if (asked === "VersionTLS10" || asked === "VersionTLS11") {
    warnings.push(`--tls-min-version=${asked}: TLS 1.2 is the oldest version that is served`);
  }
  const named = flags["tls-sni-cert-key"].flatMap((text) => {
    const parsed = parseNamedCertificate(text);
    if (typeof parsed === "string") {
      problems.push(problemAt("--tls-sni-cert-key", parsed));
      return [];
    }
    const addresses = parsed.names.filter((name) => isIP(name) !== 0);
    warnings.push(
      ...addresses.map((address) => `--tls-sni-cert-key: clients never ask for ${address}, since it is an IP address`),
    );
    return parsed;
  });
  return {
    minVersion: minVersion ?? "TLSv1.2",
    ciphers: resolveCiphers(flags["tls-cipher-suites"], minVersion === "TLSv1.3", problems, warnings),
    named,
    sharesPort: resolvePortSharing(flags["permit-port-sharing"], problems),
  };
}

function resolveCiphers(
  names: readonly string[],
  onlyTls13: boolean,
  problems: Problem[],
  warnings: string[],
): string | undefined {
  if (names.length === 0) {
    return undefined;
  }
  const suites = cipherSuites(names, onlyTls13);
  if (typeof suites === "string") {
    problems.push(problemAt("--tls-cipher-suites", suites));
    return undefined;
  }
  warnings.push(
    ...suites.broken.map((name) => `--tls-cipher-suites: ${name} is broken, and this server is built without it`),
  );
  return suites.ciphers;
}

/** Parses `cert,key` or `cert,key:name,name`; returns the problem in the words of v1.29. */
function parseNamedCertificate(text: string): NamedCertificateFiles | string {
  const colon = text.indexOf(":");
  const names = colon < 0 ? undefined : text.slice(colon + 1).trim();
  if (names === "") {
    return "empty names list is not allowed";
  }
  const files = (colon < 0 ? text : text.slice(0, colon)).split(",").map((part) => part.trim());
  const [certFile = "", keyFile = ""] = files;
  if (files.length !== 2 || certFile === "" || keyFile === "") {
    return "expected comma separated certificate and key file paths";
  }
  return { certFile, keyFile, names: names?.split(",").map((name) => name.trim()) ?? [] };
}

/** Node opens ports with SO_REUSEPORT from 22.12 on. */
function resolvePortSharing(asked: boolean, problems: Problem[]): boolean {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (asked && (major < 22 || (major === 22 && minor < 12) || process.platform !== "linux")) {
    problems.push(
      problemAt("--permit-port-sharing", `is not supported by Node ${process.versions.node} on ${process.platform}`),
    );
  }
  return asked;
}
