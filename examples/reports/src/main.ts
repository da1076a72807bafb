#!/usr/bin/env node
import { join } from "node:path";
import { runExtensionServer } from "@gatehouse/apiserver/extension";
import { admissionEndpoints, startWebhookServer } from "@gatehouse/webhooks/server";
import { reportingHook } from "./hook.js";
import { PodReports } from "./pod-reports.js";
import { reportsProgram } from "./program.js";

const reports = new PodReports();

// A folder with tls.crt, tls.key and ca.crt, the authority of those who may send admission requests. Without it, reports come
// from scans alone.
const { HOOK_CERTIFICATES: folder, HOOK_PORT: port = "8444" } = process.env;
if (folder !== undefined) {
  const [certFile, keyFile, clientCaFile] = ["tls.crt", "tls.key", "ca.crt"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await startWebhookServer({
    endpoints: admissionEndpoints([reportingHook(reports)]),
    tls: { certFile, keyFile, clientCaFile },
    port: Number(port),
  });
}
await runExtensionServer(reportsProgram(reports), process.argv.slice(2));
