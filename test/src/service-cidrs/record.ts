// Asks kube-apiserver v1.29 for addresses of Services that are kept as objects, for the replay in session.test.ts.
// Usage: node dist/service-cidrs/record.js KUBECONFIG
// It expects a new store, the flags of session.ts and --authorization-mode=AlwaysAllow, and kube-controller-manager with the
// same feature gate and --controllers=service-cidr-controller.
import { writeFileSync } from "node:fs";
import { loadKubeconfig } from "@gatehouse/component-base/kubeconfig";
import { createApiClient } from "../spec/support/api-client.js";
import { serviceCidrSession } from "./session.js";

const [kubeconfig = ""] = process.argv.slice(2);
using client = createApiClient(await loadKubeconfig(kubeconfig));
const rows = (await serviceCidrSession(client)).map((answer) => `  ${JSON.stringify(answer)}`).join(",\n");
writeFileSync(new URL("../../src/service-cidrs/recorded.json", import.meta.url), `[\n${rows}\n]\n`);
