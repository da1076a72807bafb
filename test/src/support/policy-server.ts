import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ControlPlane } from "@gatehouse/testing";
import { startTestServer } from "./start-test-server.js";

/** A server on which the cases of the policies of the library can be run, with a log of audit events. */
export interface PolicyServer extends AsyncDisposable {
  readonly server: ControlPlane;
  /** A folder that is removed with the server. */
  readonly folder: string;
  /** The file of audit events. */
  readonly auditLog: string;
}

/** Starts such a server. `auditPolicy` is the document of its audit policy, `flags` are further flags. */
export async function startPolicyServer(auditPolicy: object, flags: readonly string[] = []): Promise<PolicyServer> {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-policy-server-"));
  const auditLog = join(folder, "audit.log");
  const auditPolicyFile = join(folder, "audit-policy.json");
  await writeFile(auditPolicyFile, JSON.stringify(auditPolicy));
  const server = await startTestServer({
    flags: [
      `--audit-policy-file=${auditPolicyFile}`,
      `--audit-log-path=${auditLog}`,
      "--controllers=system-namespaces-controller",
      // Claims with a finalizer would stay.
      "--disable-admission-plugins=ServiceAccount,StorageObjectInUseProtection",
      "--feature-gates=ValidatingAdmissionPolicy=true,ProcMountType=true",
      "--allow-privileged=true",
      "--runtime-config=admissionregistration.k8s.io/v1beta1=true",
      ...flags,
    ],
  });
  return {
    server,
    folder,
    auditLog,
    async [Symbol.asyncDispose]() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
