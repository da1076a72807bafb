import type { CertificatePem, ExecPluginConfig } from "../kubeconfig/client-config.js";

/** The checked output of a credential plugin. */
export interface ExecCredentialStatus {
  readonly token?: string;
  readonly clientCertificate?: CertificatePem;
  /** Milliseconds since 1970; absent when the credentials hold until they are refused. */
  readonly expiresAt?: number;
}

/** Reads the ExecCredential (JSON or YAML) that a plugin prints. Throws in client-go's words; quotes nothing of it. */
export async function parseExecCredential(
  output: string,
  expected: ExecPluginConfig["apiVersion"],
): Promise<ExecCredentialStatus> {
  const document = await parseDocument(output);
  const apiVersion = textAt(document, "apiVersion");
  if (textAt(document, "kind") !== "ExecCredential") {
    throw new Error("decoding stdout: the kind is not ExecCredential");
  }
  if (apiVersion !== expected) {
    throw new Error(
      `exec plugin is configured to use API version ${expected}, plugin returned version ${apiVersion ?? ""}`,
    );
  }
  const status = fieldOf(document, "status");
  if (status === undefined || status === null) {
    throw new Error("exec plugin didn't return a status field");
  }
  const token = textAt(status, "token");
  const certificatePem = textAt(status, "clientCertificateData");
  const keyPem = textAt(status, "clientKeyData");
  if (token === undefined && certificatePem === undefined && keyPem === undefined) {
    throw new Error("exec plugin didn't return a token or cert/key pair");
  }
  if ((certificatePem === undefined) !== (keyPem === undefined)) {
    throw new Error("exec plugin returned only certificate or key, not both");
  }
  const expiresAt = expiryOf(textAt(status, "expirationTimestamp"));
  return {
    ...(token === undefined ? {} : { token }),
    ...(certificatePem === undefined || keyPem === undefined ? {} : { clientCertificate: { certificatePem, keyPem } }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}

async function parseDocument(output: string): Promise<unknown> {
  try {
    return JSON.parse(output);
  } catch {
    // Perhaps it is YAML.
  }
  const { parse } = await import("yaml");
  try {
    return parse(output, { maxAliasCount: 0 });
  } catch {
    // Without its cause, which would quote the output.
    throw new Error("decoding stdout: neither JSON nor YAML");
  }
}

function expiryOf(timestamp: string | undefined): number | undefined {
  if (timestamp === undefined) {
    return undefined;
  }
  const time = Date.parse(timestamp);
  if (Number.isNaN(time)) {
    throw new Error("decoding stdout: expirationTimestamp is not a time");
  }
  return time;
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined;
}

/** The text in a field; empty counts as absent. */
function textAt(value: unknown, key: string): string | undefined {
  const field = fieldOf(value, key) ?? "";
  if (typeof field !== "string") {
    throw new Error(`decoding stdout: ${key} is not a string`);
  }
  return field === "" ? undefined : field;
}
