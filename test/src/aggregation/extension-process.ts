import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { issueCertificate } from "@gatehouse/component-base/pki";
import type { ControlPlane } from "@gatehouse/testing";
import { type RunningCommand, startCommand } from "../support/running-command.js";
import { showLogOnFailure } from "../support/show-log-on-failure.js";
import { until } from "../support/until.js";
import { registerGroup, untilAvailable } from "./aggregated-server.js";

/** An extension API server that runs as a process. */
export interface ExtensionProcess {
  /** The script of the process, an absolute path. */
  readonly script: string;
  readonly group: string;
  readonly versions: readonly string[];
  /** A folder for its certificate and its objects. */
  readonly folder: string;
  readonly flags?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

const dayMs = 24 * 60 * 60 * 1000;

/** Starts an extension API server behind a front, as its users start it. Resolves when the front passes requests on. */
export async function startExtensionProcess(
  front: ControlPlane,
  { script, group, versions, folder, flags = [], env = {} }: ExtensionProcess,
): Promise<RunningCommand> {
  const certificate = await servingCertificate(folder, `${group.replaceAll(".", "-")}.servers.svc`);
  const kubeconfig = await front.kubeconfigFile();
  const places = ["kubeconfig", "authentication-kubeconfig", "authorization-kubeconfig"];
  const command = startCommand(
    [
      ...["exec", process.execPath, script, "--bind-address=127.0.0.1", "--secure-port=0", `--data-dir=${folder}`],
      ...[...flags, ...certificate.flags, ...places.map((place) => `--${place}=${kubeconfig}`)],
    ].join(" "),
    { env: { ...process.env, ...env } },
  );
  showLogOnFailure(() => `${command.stdout()}${command.stderr()}`);
  const port = await until(`${group} is served`, () => /serving .*port=(\d+)/.exec(command.stderr())?.[1]);
  for (const version of versions) {
    await registerGroup(front, { authority: certificate.authority, port: Number(port) }, { group, version });
  }
  await Promise.all(versions.map((version) => untilAvailable(front, `${version}.${group}`)));
  return command;
}

/** Makes a serving certificate, and the flags that name it. */
async function servingCertificate(
  folder: string,
  dnsName: string,
): Promise<{ readonly authority: string; readonly flags: readonly string[] }> {
  const lifetime = { notBefore: new Date(Date.now() - dayMs), notAfter: new Date(Date.now() + dayMs) };
  const issuer = await issueCertificate({ subject: { kind: "authority", commonName: "extension-ca" }, ...lifetime });
  const serving = await issueCertificate({
    subject: { kind: "server", commonName: "extension", dnsNames: [dnsName], ipAddresses: [] },
    issuer,
    ...lifetime,
  });
  const [certFile, keyFile] = [join(folder, "extension.crt"), join(folder, "extension.key")];
  writeFileSync(certFile, serving.certificatePem);
  writeFileSync(keyFile, serving.keyPem, { mode: 0o600 });
  return {
    authority: issuer.certificatePem,
    flags: [`--tls-cert-file=${certFile}`, `--tls-private-key-file=${keyFile}`],
  };
}
