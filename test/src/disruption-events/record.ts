// Writes down the events of the disruption controller of v1.29, for the replay in session.test.ts.
// Usage: node dist/disruption-events/record.js KUBECONFIG
// It expects a new store, the flags of session.ts and --authorization-mode=AlwaysAllow, and kube-controller-manager with
// --controllers=disruption.
import { writeFileSync } from "node:fs";
import { loadKubeconfig } from "@gatehouse/component-base/kubeconfig";
import { createApiClient } from "../spec/support/api-client.js";
import { disruptionEventSession } from "./session.js";

const [kubeconfig = ""] = process.argv.slice(2);
using client = createApiClient(await loadKubeconfig(kubeconfig));
const rows = (await disruptionEventSession(client)).map((event) => `  ${JSON.stringify(event)}`).join(",\n");
writeFileSync(new URL("../../src/disruption-events/recorded.json", import.meta.url), `[\n${rows}\n]\n`);
