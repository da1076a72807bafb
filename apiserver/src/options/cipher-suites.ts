/** The names that OpenSSL has for the cipher suites of TLS 1.2 that Go knows, by their names in Go. */
const opensslNames: ReadonlyMap<string, string> = new Map([
  ["TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA", "ECDHE-ECDSA-AES128-SHA"],
  ["TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA", "ECDHE-ECDSA-AES256-SHA"],
  ["TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA", "ECDHE-RSA-AES128-SHA"],
  ["TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA", "ECDHE-RSA-AES256-SHA"],
  ["TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", "ECDHE-ECDSA-AES128-GCM-SHA256"],
  ["TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384", "ECDHE-ECDSA-AES256-GCM-SHA384"],
  ["TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", "ECDHE-RSA-AES128-GCM-SHA256"],
  ["TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384", "ECDHE-RSA-AES256-GCM-SHA384"],
  ["TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305", "ECDHE-ECDSA-CHACHA20-POLY1305"],
  ["TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256", "ECDHE-ECDSA-CHACHA20-POLY1305"],
  ["TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305", "ECDHE-RSA-CHACHA20-POLY1305"],
  ["TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256", "ECDHE-RSA-CHACHA20-POLY1305"],
  ["TLS_RSA_WITH_AES_128_CBC_SHA", "AES128-SHA"],
  ["TLS_RSA_WITH_AES_256_CBC_SHA", "AES256-SHA"],
  ["TLS_RSA_WITH_AES_128_GCM_SHA256", "AES128-GCM-SHA256"],
  ["TLS_RSA_WITH_AES_256_GCM_SHA384", "AES256-GCM-SHA384"],
  ["TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256", "ECDHE-ECDSA-AES128-SHA256"],
  ["TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256", "ECDHE-RSA-AES128-SHA256"],
  ["TLS_RSA_WITH_AES_128_CBC_SHA256", "AES128-SHA256"],
]);

/** The suites of TLS 1.3. Go has all of them on, whatever it is configured with. */
const suitesOfTls13: readonly string[] = [
  "TLS_AES_256_GCM_SHA384",
  "TLS_CHACHA20_POLY1305_SHA256",
  "TLS_AES_128_GCM_SHA256",
];

/** Suites that Go knows and OpenSSL is built without: they are broken. */
const brokenSuites: ReadonlySet<string> = new Set([
  "TLS_ECDHE_ECDSA_WITH_RC4_128_SHA",
  "TLS_ECDHE_RSA_WITH_RC4_128_SHA",
  "TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA",
  "TLS_RSA_WITH_RC4_128_SHA",
  "TLS_RSA_WITH_3DES_EDE_CBC_SHA",
]);

/** Suites of which HTTP/2 requires one below TLS 1.3 (RFC 9113, section 9.2.2, with the ECDSA form that Go accepts). */
const suitesOfHttp2: readonly string[] = [
  "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
  "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
];

/** The cipher suites of a server. */
export interface CipherSuites {
  /** The list for OpenSSL. */
  readonly ciphers: string;
  /** Suites that were asked for and cannot be had. */
  readonly broken: readonly string[];
}

/**
 * Returns the suites for OpenSSL by their names in Go, or the problem with them in the words of v1.29. `onlyTls13`: no
 * older version of TLS is served, so that suites of TLS 1.2 do not count.
 */
export function cipherSuites(names: readonly string[], onlyTls13: boolean): CipherSuites | string {
  const stranger = names.find(
    (name) => !opensslNames.has(name) && !suitesOfTls13.includes(name) && !brokenSuites.has(name),
  );
  if (stranger !== undefined) {
    return `Cipher suite ${stranger} not supported or doesn't exist`;
  }
  if (!onlyTls13 && !names.some((name) => suitesOfHttp2.includes(name))) {
    return `is missing an HTTP/2-required AES_128_GCM_SHA256 cipher (need at least one of ${suitesOfHttp2.join(" or ")})`;
  }
  const older = names.flatMap((name) => opensslNames.get(name) ?? []);
  return {
    ciphers: [...suitesOfTls13, ...new Set(older)].join(":"),
    broken: names.filter((name) => brokenSuites.has(name)),
  };
}
