import { isJsonObject, type JsonObject } from "@gatehouse/envelopes/json";
import type { Cluster, ObjectKey } from "../cluster/index.js";
import { ConfigurationError } from "../errors.js";
import { problemAt } from "../problems/index.js";
import { type RotatedCertificates, renewCertificates } from "./renew-certificates.js";

/** The options of `rotateCertificates`. */
export interface RotateOptions {
  readonly cluster: Cluster;
  /** The name of the program, for that of the authority. */
  readonly program: string;
  /** The Service in front of the program, whose names the certificate has. */
  readonly service: Required<ObjectKey>;
  /** The name of the Secret that the program serves from, in the namespace of the Service. */
  readonly secret: string;
  /**
   * Tells API servers which authorities to believe. Called each time, with the authorities as PEM, before the Secret is
   * changed; a failure leaves the Secret as it was.
   */
  readonly announce: (caBundlePem: string) => Promise<void>;
  /** The time in milliseconds since 1970. Default: now. */
  readonly now?: number;
}

/**
 * Renews the certificates in a Secret when they end within 90 days. No call fails meanwhile: first API servers learn to
 * believe the new authority beside the old one, then the program serves its certificate. Resolves to whether they were
 * renewed.
 */
export async function rotateCertificates({
  cluster,
  program,
  service,
  secret,
  announce,
  now = Date.now(),
}: RotateOptions): Promise<boolean> {
  const { namespace, name } = service;
  const stored = storedIn(await cluster.get("v1", "Secret", { namespace, name: secret }));
  const dnsNames = [`${name}.${namespace}.svc`, `${name}.${namespace}.svc.cluster.local`];
  const { certificates, renewed } = await renewCertificates(stored, { program, dnsNames }, now);
  await announce(certificates.caBundlePem);
  if (renewed) {
    await cluster.apply(secretOf(certificates, namespace, secret));
  }
  return renewed;
}

/** Returns the Service that the flag `--service=NAMESPACE/NAME` names. Throws ConfigurationError when it names none. */
export function serviceOfFlag(value: string | undefined): Required<ObjectKey> {
  const [namespace = "", name = "", ...rest] = value?.split("/") ?? [];
  if (namespace === "" || name === "" || rest.length > 0) {
    const problem = value === undefined ? "is required" : "must have the form namespace/name";
    throw new ConfigurationError("flags", [problemAt("--service", problem)]);
  }
  return { namespace, name };
}

function storedIn(secret: JsonObject | undefined): RotatedCertificates | undefined {
  const data = secret?.["data"];
  if (!isJsonObject(data)) {
    return undefined;
  }
  const text = (key: string): string => Buffer.from(String(data[key] ?? ""), "base64").toString();
  return { caBundlePem: text("ca.crt"), certificatePem: text("tls.crt"), keyPem: text("tls.key") };
}

function secretOf(certificates: RotatedCertificates, namespace: string, name: string): JsonObject {
  const { caBundlePem, certificatePem, keyPem } = certificates;
  const base64 = (text: string): string => Buffer.from(text).toString("base64");
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name, namespace },
    type: "kubernetes.io/tls",
    data: { "ca.crt": base64(caBundlePem), "tls.crt": base64(certificatePem), "tls.key": base64(keyPem) },
  };
}
