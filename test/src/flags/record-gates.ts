// Asks kube-apiserver v1.29 what it does with and without some features, for the replay in gates.test.ts.
// Usage: node dist/flags/record-gates.js KUBECONFIG without-beta|with-alpha
// It expects the flags of that setting in gate-cases.ts, and --authorization-mode=AlwaysAllow.
import { writeFileSync } from "node:fs";
import { loadKubeconfig } from "@gatehouse/component-base/kubeconfig";
import { createApiClient } from "../spec/support/api-client.js";
import { askAboutGates } from "./gate-cases.js";

const [kubeconfig = "", setting = ""] = process.argv.slice(2);
const config = await loadKubeconfig(kubeconfig);
using client = createApiClient(config);
const answers = await askAboutGates(client);
const rows = answers.map((answer) => `  ${JSON.stringify(answer)}`).join(",\n");
writeFileSync(new URL(`../../src/flags/recorded-${setting}.json`, import.meta.url), `[\n${rows}\n]\n`);
