// Proves the policies of policies/library/cel on a kube-apiserver: puts one policy after the other into effect, sends each
// of its cases as a dry run, and compares verdict, message, reason and warnings. A tool for people who change the library.
// It changes the server, which must have nothing else to do:
//   ../shared/oracle/start.sh DIR PORT --authorization-mode=AlwaysAllow \
//     --disable-admission-plugins=ServiceAccount,StorageObjectInUseProtection \
//     --feature-gates=ValidatingAdmissionPolicy=true,ProcMountType=true --allow-privileged=true \
//     --runtime-config=admissionregistration.k8s.io/v1beta1=true
//   node test/dist/policy-library/prove.js KUBECONFIG [PART-OF-A-FILE-NAME]
// Then it compares the policies of the Pod Security Standards with the plugin PodSecurity of that server.
// A client sees neither audit annotations nor costs, so they are not compared.
import { createHttpClient } from "@gatehouse/component-base/http-client";
import { loadKubeconfig } from "@gatehouse/component-base/kubeconfig";
import { readLibrary } from "./library-files.js";
import { ObjectClient } from "./object-client.js";
import { comparePodSecurity } from "./pod-security-agreement.js";
import { runLibraryPolicy } from "./run-library-policy.js";

/** v1.29 looks for policies once in a second, and learns of parameters by a watch. */
const patienceMs = 8_000;

const [kubeconfig, part = ""] = process.argv.slice(2);
if (kubeconfig === undefined) {
  throw new Error("usage: node test/dist/policy-library/prove.js KUBECONFIG [PART-OF-A-FILE-NAME]");
}
using http = createHttpClient({ config: await loadKubeconfig(kubeconfig) });
const client = new ObjectClient(http);
const policies = (await readLibrary()).filter(({ file }) => file.includes(part));
let failed = 0;
for (const policy of policies) {
  const failures = await runLibraryPolicy({ client, patienceMs }, policy);
  failed += failures.length;
  console.log(`${failures.length === 0 ? "ok" : "not ok"} ${policy.file} (${policy.cases.length} cases)`);
  for (const failure of failures) {
    console.log(`  ${failure}`);
  }
}
if (part === "") {
  const { pods, violations, differences } = await comparePodSecurity(client, policies, 3_000);
  console.log(`${pods} pods as by PodSecurity, ${violations} with violations, ${differences.length} differences`);
  for (const difference of differences) {
    console.log(`  ${difference}`);
  }
  failed += differences.length;
}
const count = policies.reduce((sum, { cases }) => sum + cases.length, 0);
console.log(`${policies.length} policies, ${count} cases, ${failed} failures`);
process.exitCode = failed > 0 ? 1 : 0;
