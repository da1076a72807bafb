// Asks a real kube-apiserver what it does with admission policies, for the replay in policy-cases.test.ts.
// Usage: node dist/admission-policies/record.js --kubeconfig FILE --audit-log FILE
// With --types it asks kube-controller-manager's type checker instead, which must run with the same feature gate.
// It expects --feature-gates=ValidatingAdmissionPolicy=true, --runtime-config with both versions of the API,
// --authorization-mode=RBAC, --disable-admission-plugins=ServiceAccount, the tokens of run-cases.ts, and an audit log under the policy of audit-annotations.ts.
import { parseArgs } from "node:util";
import { createHttpClient } from "@gatehouse/component-base/http-client";
import { loadKubeconfig } from "@gatehouse/component-base/kubeconfig";
import { readAuditLog } from "./audit-annotations.js";
import { cases } from "./cases.js";
import { writeRecording, writeTypes } from "./recording.js";
import { runCases } from "./run-cases.js";
import { askTypeChecker } from "./type-checking.js";

const { values } = parseArgs({
  options: { kubeconfig: { type: "string" }, "audit-log": { type: "string" }, types: { type: "boolean" } },
});
const { server, certificateAuthorityPem = "" } = await loadKubeconfig(values.kubeconfig ?? "");
using client = createHttpClient({ config: { server, certificateAuthorityPem, insecureSkipTlsVerify: false } });
const annotationsOf = readAuditLog(values["audit-log"] ?? "");
const peer = { client, settleMs: 4000, annotationsOf };
if (values.types === true) {
  writeTypes(await askTypeChecker(peer));
} else {
  writeRecording(await runCases(peer, cases));
}
