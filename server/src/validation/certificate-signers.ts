import type { CertificateRequest } from "@gatehouse/component-base/pki";

/** The signers whose certificates the API server believes; what others sign is theirs to know. */
export const signerNames = [
  "kubernetes.io/kube-apiserver-client",
  "kubernetes.io/kube-apiserver-client-kubelet",
  "kubernetes.io/kubelet-serving",
  "kubernetes.io/legacy-unknown",
] as const;

/** A member of `signerNames`. */
export type SignerName = (typeof signerNames)[number];

/** Returns the reason why a signer does not sign an approved request, in v1.29's words; undefined when it does. */
export function signingProblem(
  signer: SignerName,
  names: CertificateRequest,
  usages: readonly string[],
): string | undefined {
  switch (signer) {
    case "kubernetes.io/kube-apiserver-client":
      return clientUsageProblem(usages);
    case "kubernetes.io/kube-apiserver-client-kubelet":
      return nodeClientProblem(names, usages);
    case "kubernetes.io/kubelet-serving":
      return nodeServingProblem(names, usages);
    case "kubernetes.io/legacy-unknown":
      return undefined;
  }
}

function clientUsageProblem(usages: readonly string[]): string | undefined {
  const known = new Set(["digital signature", "key encipherment", "client auth"]);
  const odd = usages.find((usage) => !known.has(usage));
  if (odd !== undefined) {
    return `invalid usage for client certificate: ${odd}`;
  }
  return usages.includes("client auth") ? undefined : "missing required usage for client certificate: client auth";
}

function nodeClientProblem(names: CertificateRequest, usages: readonly string[]): string | undefined {
  const { dnsNames, emailAddresses, ipAddresses, uris } = names;
  return (
    organizationProblem(names) ??
    (dnsNames.length > 0 ? "DNS subjectAltNames are not allowed" : undefined) ??
    (emailAddresses.length > 0 ? "Email subjectAltNames are not allowed" : undefined) ??
    (ipAddresses.length > 0 ? "IP subjectAltNames are not allowed" : undefined) ??
    (uris.length > 0 ? "URI subjectAltNames are not allowed" : undefined) ??
    commonNameProblem(names) ??
    nodeUsageProblem(usages, "client auth")
  );
}

function nodeServingProblem(names: CertificateRequest, usages: readonly string[]): string | undefined {
  const { dnsNames, emailAddresses, ipAddresses, uris } = names;
  return (
    organizationProblem(names) ??
    (dnsNames.length + ipAddresses.length === 0 ? "DNS or IP subjectAltName is required" : undefined) ??
    (emailAddresses.length > 0 ? "Email subjectAltNames are not allowed" : undefined) ??
    (uris.length > 0 ? "URI subjectAltNames are not allowed" : undefined) ??
    nodeUsageProblem(usages, "server auth") ??
    commonNameProblem(names)
  );
}

function organizationProblem({ organizations }: CertificateRequest): string | undefined {
  return organizations.length === 1 && organizations[0] === "system:nodes"
    ? undefined
    : "subject organization is not system:nodes";
}

function commonNameProblem({ commonName }: CertificateRequest): string | undefined {
  return commonName.startsWith("system:node:") ? undefined : "subject common name does not begin with system:node:";
}

/** Returns the fault in the usages of a node's certificate; undefined for none. RSA keys may encipher keys, too. */
function nodeUsageProblem(usages: readonly string[], purpose: string): string | undefined {
  const asked = new Set(usages);
  const hasAll = asked.has("digital signature") && asked.has(purpose);
  const others = [...asked].filter((usage) => usage !== "digital signature" && usage !== purpose);
  return hasAll && others.every((usage) => usage === "key encipherment")
    ? undefined
    : `usages did not match [${["digital signature", "key encipherment", purpose].sort().join(" ")}]`;
}
