// Writes down in which forms v1.29 sends its metrics, for the replay in session.test.ts.
// Usage: node dist/metrics-forms/record.js KUBECONFIG
import { writeFileSync } from "node:fs";
import { loadKubeconfig } from "@gatehouse/component-base/kubeconfig";
import { createApiClient } from "../spec/support/api-client.js";
import { metricsFormsSession } from "./session.js";

const [kubeconfig = ""] = process.argv.slice(2);
using client = createApiClient(await loadKubeconfig(kubeconfig));
const rows = (await metricsFormsSession(client)).map((answer) => `  ${JSON.stringify(answer)}`).join(",\n");
writeFileSync(new URL("../../src/metrics-forms/recorded.json", import.meta.url), `[\n${rows}\n]\n`);
