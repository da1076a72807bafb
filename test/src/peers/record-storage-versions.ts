// Asks kube-apiserver v1.29 about StorageVersions, for the replay in storage-versions.test.ts.
// Usage: node dist/peers/record-storage-versions.js KUBECONFIG
// It expects the flags of storage-version-session.ts and --authorization-mode=AlwaysAllow, and a kube-controller-manager
// that runs storageversion-garbage-collector-controller with the same feature gate.
import { writeFileSync } from "node:fs";
import { loadKubeconfig } from "@gatehouse/component-base/kubeconfig";
import { createApiClient } from "../spec/support/api-client.js";
import { askAboutStorageVersions } from "./storage-version-session.js";

using client = createApiClient(await loadKubeconfig(process.argv[2] ?? ""));
const facts = await askAboutStorageVersions(client);
const rows = facts.map((fact) => `  ${JSON.stringify(fact)}`).join(",\n");
writeFileSync(new URL("../../src/peers/recorded-storage-versions.json", import.meta.url), `[\n${rows}\n]\n`);
