import type { DataDir } from "./data-dir.js";
import { hooksFileOf } from "./parts/admission-server.js";
import { auditPolicyFileOf, auditReaderFileOf, auditTokenFileOf } from "./parts/audit-sink.js";
import { authorizationRulesFileOf } from "./parts/authorization-server.js";
import { oidcKubeconfigOf, usersFileOf } from "./parts/identity-provider.js";
import { imageRulesFileOf } from "./parts/image-review-server.js";
import type { StackParts } from "./parts/stack-parts.js";

/** Returns the text that the person at the keyboard reads when the stack is ready. */
export function greeting(options: {
  readonly dataDir: DataDir;
  readonly parts: StackParts;
  readonly elapsedMs: number;
}): string {
  const { dataDir, parts, elapsedMs } = options;
  const hooks =
    parts.admission === undefined
      ? ""
      : `
The admission server refuses what its hooks refuse, and changes what they change (${hooksFileOf(dataDir)}):
  kubectl run latest --image=nginx:latest       # is denied: no version
  kubectl run helped --image=nginx:1.27 --annotations=sidecar.gatehouse.dev/inject=true
  kubectl get pod helped --output=jsonpath='{.spec.containers[*].name}{"\\n"}'
`;
  const images =
    parts.imageReview === undefined
      ? ""
      : `
The image-review server decides which images may be used (${imageRulesFileOf(dataDir)}):
  kubectl run miner --image=example.com/cryptominer:1.0       # is denied: known-bad
`;
  const authorization =
    parts.authorization === undefined
      ? ""
      : `
The authorization server decides before roles do (${authorizationRulesFileOf(dataDir)}):
  kubectl auth can-i create pods --subresource=exec --namespace=prod-1       # is denied: no-exec-in-production
`;
  const audit =
    parts.auditSink === undefined
      ? ""
      : `
The audit sink keeps what is done here (${auditPolicyFileOf(dataDir)}), and shows it:
  https://127.0.0.1:${parts.auditSink.port}/       # log in with the token in ${auditTokenFileOf(dataDir)}
  npx --package @gatehouse/audit-sink gatehouse-audit query --kubeconfig=${shellQuote(auditReaderFileOf(dataDir))} --verb=create
`;
  const oidc = parts.identityProvider
    ? `
People log in at an identity provider, as one of those in ${usersFileOf(dataDir)}${parts.tokenReview ? "; the token review server\ntells the API server whose their tokens are" : ""}:
  kubectl --kubeconfig=${shellQuote(oidcKubeconfigOf(dataDir))} auth whoami
`
    : "";
  return `Gatehouse is ready after ${(elapsedMs / 1000).toFixed(2)} s at https://127.0.0.1:${parts.apiServer.port}

  export KUBECONFIG=${shellQuote(dataDir.kubeconfig)}

Then try:
  kubectl get namespaces
  kubectl create configmap hello --from-literal=greeting=hi
  kubectl get configmap hello --output=yaml
${hooks}${images}${authorization}${audit}${oidc}
Logs are in ${dataDir.logOf("*")}. Ctrl-C stops everything; what is stored stays.`;
}

/** A word for a POSIX shell. */
function shellQuote(text: string): string {
  return /^[\w./@%+=:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
