import { type CertificateRequest, readCertificateRequest } from "@gatehouse/component-base/pki";
import { isSet, type JsonObject, listAt, objectAt, textAt, textsAt } from "@gatehouse/envelopes/json";
import { type SignerName, signingProblem } from "../../validation/certificate-signers.js";
import type { StoredFormTable } from "./stored-form.js";

const defaultUsages = ["digital signature", "key encipherment"];

/** Certificate requests in certificates.k8s.io/v1beta1, which need not name their signer. */
export const certificateForms: StoredFormTable = {
  certificatesigningrequests: {
    olderVersions: [{ group: "certificates.k8s.io", version: "v1beta1", toStored: requestFromBeta1 }],
  },
};

function requestFromBeta1(object: JsonObject): JsonObject {
  const spec = objectAt(object, "spec");
  const usages = isSet(spec, "usages") ? textsAt(spec, "usages") : defaultUsages;
  const signerName = isSet(spec, "signerName") ? textAt(spec, "signerName") : signerOf(textAt(spec, "request"), usages);
  const conditions = listAt(object, "status", "conditions").map((condition) => ({
    ...objectAt(condition),
    status: textAt(condition, "status") || "True",
  }));
  return { ...object, spec: { ...spec, usages, signerName }, status: { ...objectAt(object, "status"), conditions } };
}

/** Returns the signer that a request of a node is for, or the one that signs whatever it is told to. */
function signerOf(base64: string, usages: readonly string[]): SignerName {
  let request: CertificateRequest;
  try {
    request = readCertificateRequest(Buffer.from(base64, "base64"));
  } catch {
    return "kubernetes.io/legacy-unknown";
  }
  const nodeSigners: readonly SignerName[] = [
    "kubernetes.io/kube-apiserver-client-kubelet",
    "kubernetes.io/kubelet-serving",
  ];
  return (
    nodeSigners.find((signer) => signingProblem(signer, request, usages) === undefined) ??
    "kubernetes.io/legacy-unknown"
  );
}
