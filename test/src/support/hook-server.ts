import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type CertificateAndKey, issueCertificate } from "@gatehouse/component-base/pki";
import { type RunningCommand, startCommand } from "./running-command.js";
import { until } from "./until.js";

/** The command `gatehouse-admission`. */
export const admissionScript: string = fileURLToPath(
  new URL("../programs/admission/main.js", import.meta.resolve("@gatehouse/webhooks")),
);

/** The command `gatehouse-image-review`. */
export const imageReviewScript: string = bundled("gatehouse-image-review");

/** The command `gatehouse-authorization`. */
export const authorizationScript: string = bundled("gatehouse-authorization");

/** The command `gatehouse-policy`. */
export const policyScript: string = bundled("gatehouse-policy");

/** The command `gatehouse-token-review`. */
export const tokenReviewScript: string = bundled("gatehouse-token-review");

function bundled(program: string): string {
  return fileURLToPath(new URL(`../../bundle/${program}.js`, import.meta.resolve("@gatehouse/webhooks")));
}

const dayMs = 24 * 60 * 60 * 1000;

/** The certificates of an admission server and its caller. */
export interface HookPki {
  readonly authority: CertificateAndKey;
  readonly caFile: string;
  /** `--admission-control-config-file` of an API server that calls the hooks by client certificate. */
  readonly admissionConfigFile: string;
  readonly servingFlags: readonly string[];
}

/** Makes certificates for an admission server on 127.0.0.1, and what an API server needs to call it. */
export async function createHookPki(parent: string): Promise<HookPki> {
  const folder = join(parent, "hooks");
  await mkdir(folder, { recursive: true });
  const file = (name: string): string => join(folder, name);
  const lifetime = { notBefore: new Date(Date.now() - dayMs), notAfter: new Date(Date.now() + dayMs) };
  const authority = await issueCertificate({ subject: { kind: "authority", commonName: "hooks-ca" }, ...lifetime });
  const server = await issueCertificate({
    subject: { kind: "server", commonName: "hooks", dnsNames: ["localhost"], ipAddresses: ["127.0.0.1"] },
    issuer: authority,
    ...lifetime,
  });
  const caller = await issueCertificate({
    subject: { kind: "client", user: "kube-apiserver-webhooks", groups: [] },
    issuer: authority,
    ...lifetime,
  });
  const plugins = ["MutatingAdmissionWebhook", "ValidatingAdmissionWebhook"].map((name) => ({
    name,
    configuration: {
      apiVersion: "apiserver.config.k8s.io/v1",
      kind: "WebhookAdmissionConfiguration",
      kubeConfigFile: file("webhooks.kubeconfig"),
    },
  }));
  const credentials = { "client-certificate": file("caller.crt"), "client-key": file("caller.key") };
  await Promise.all([
    writeFile(file("ca.crt"), authority.certificatePem),
    writeFile(file("server.crt"), server.certificatePem),
    writeFile(file("server.key"), server.keyPem),
    writeFile(file("caller.crt"), caller.certificatePem),
    writeFile(file("caller.key"), caller.keyPem),
    writeFile(
      file("admission.yaml"),
      JSON.stringify({ apiVersion: "apiserver.config.k8s.io/v1", kind: "AdmissionConfiguration", plugins }),
    ),
    writeFile(
      file("webhooks.kubeconfig"),
      JSON.stringify({ apiVersion: "v1", kind: "Config", users: [{ name: "*", user: credentials }] }),
    ),
  ]);
  return {
    authority,
    caFile: file("ca.crt"),
    admissionConfigFile: file("admission.yaml"),
    servingFlags: [
      `--tls-cert-file=${file("server.crt")}`,
      `--tls-private-key-file=${file("server.key")}`,
      `--client-ca-file=${file("ca.crt")}`,
      "--bind-address=127.0.0.1",
      "--logging-format=text",
    ],
  };
}

/** A running `gatehouse-admission`, or another webhook server. */
export interface HookServer extends AsyncDisposable {
  readonly url: string;
  readonly command: RunningCommand;
}

/** Starts `gatehouse-admission`, or what `script` is, with these flags and waits until it serves. */
export async function startHookServer(flags: readonly string[], script: string = admissionScript): Promise<HookServer> {
  const quoted = [process.execPath, "--enable-source-maps", script, "--port=0", ...flags].map((word) => `'${word}'`);
  const command = startCommand(`exec ${quoted.join(" ")}`);
  const port = await until("the admission server says on which port it serves", () => {
    const [, found] = /\bserving\b.*\bport=(\d+)/.exec(command.stderr()) ?? [];
    return found;
  });
  return {
    url: `https://127.0.0.1:${port}`,
    command,
    async [Symbol.asyncDispose]() {
      await command.stop();
    },
  };
}
