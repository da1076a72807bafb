// Asks kube-apiserver v1.29 what it passes on to another one, for the replay in peers.test.ts.
// Usage: node dist/peers/record-peers.js KUBECONFIG-OF-ADMIN KUBECONFIG-OF-JANE PID-OF-PEER
// It expects two servers on one etcd, on hosts of different names, with the flags of peer-session.ts: the one that is asked
// with --authorization-mode=AlwaysAllow, the other one with RBAC.
import { writeFileSync } from "node:fs";
import { loadKubeconfig } from "@gatehouse/component-base/kubeconfig";
import { createApiClient } from "../spec/support/api-client.js";
import { askAboutPeers } from "./peer-session.js";

const [ofAdmin = "", ofJane = "", pid = ""] = process.argv.slice(2);
using admin = createApiClient(await loadKubeconfig(ofAdmin));
using jane = createApiClient(await loadKubeconfig(ofJane));
const facts = await askAboutPeers({ admin, jane, killPeer: async () => process.kill(Number(pid), "SIGKILL") });
const rows = facts.map((fact) => `  ${JSON.stringify(fact)}`).join(",\n");
writeFileSync(new URL("../../src/peers/recorded-peers.json", import.meta.url), `[\n${rows}\n]\n`);
