// Asks kube-apiserver v1.29 what it does without beta features, for the replay in gates-off.test.ts.
// Usage: node dist/flags/record-gates.js KUBECONFIG
// It expects --feature-gates=AllBeta=false --authorization-mode=AlwaysAllow --disable-admission-plugins=ServiceAccount.
import { writeFileSync } from "node:fs";
import { loadKubeconfig } from "@gatehouse/component-base/kubeconfig";
import { createApiClient } from "../spec/support/api-client.js";
import { askAboutGates } from "./gate-cases.js";

const config = await loadKubeconfig(process.argv[2] ?? "");
using client = createApiClient(config);
const answers = await askAboutGates(client);
const rows = answers.map((answer) => `  ${JSON.stringify(answer)}`).join(",\n");
writeFileSync(new URL("../../src/flags/recorded-gates.json", import.meta.url), `[\n${rows}\n]\n`);
