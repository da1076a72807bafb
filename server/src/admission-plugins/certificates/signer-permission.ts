import type { AdmissionAttributes, MayDo } from "@gatehouse/apiserver/admission";

/**
 * Reports whether the user of a write may use a verb on a signer, or on all signers of its domain (`kubernetes.io/*`).
 * An authorizer that fails has not allowed it.
 */
export async function maySignAs(
  mayDo: MayDo,
  { user }: AdmissionAttributes,
  verb: "approve" | "attest" | "sign",
  signerName: string,
): Promise<boolean> {
  const [domain = ""] = signerName.split("/", 1);
  for (const name of [signerName, `${domain}/*`]) {
    if (await isAllowed(mayDo, { user, verb, group: "certificates.k8s.io", resource: "signers", name })) {
      return true;
    }
  }
  return false;
}

async function isAllowed(mayDo: MayDo, access: Parameters<MayDo>[0]): Promise<boolean> {
  try {
    return (await mayDo(access)).isAllowed;
  } catch {
    return false;
  }
}
