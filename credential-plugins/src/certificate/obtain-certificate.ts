import { randomBytes, X509Certificate } from "node:crypto";
import type { ClientConfig } from "@gatehouse/component-base/kubeconfig";
import { pause } from "@gatehouse/component-base/time";
import { CredentialError } from "../plugin/credential-error.js";
import type { CredentialRequest, ObtainedCredential, PreviousCredential } from "../plugin/credential-source.js";
import type { CertificateSettings } from "./certificate-settings.js";
import { type CertificatesApi, openCertificatesApi, type RequestState } from "./certificates-api.js";
import { createSigningRequest } from "./create-signing-request.js";

/** A request that is about to be made, or was made and not answered yet: kept, so that the next run takes it up. */
interface PendingRequest {
  readonly name: string;
  readonly keyPem: string;
}

const pollMs = 1000;
/**
 * Time in milliseconds to wait for an approval while the previous certificate is still valid: a client is not kept
 * waiting.
 */
const renewalWaitMs = 3000;

/** Asks for a certificate and waits until somebody, or something, has approved it. */
export async function obtainCertificate(
  settings: CertificateSettings,
  request: CredentialRequest,
): Promise<ObtainedCredential> {
  using api = openCertificatesApi(identitiesOf(settings, request.previous));
  const known = parsePending(request.previous.kept);
  const state = known === undefined ? undefined : await api.get(known.name, request.signal);
  const pending = known !== undefined && state !== undefined ? known : await ask(api, settings, request);
  const certificatePem = await waitForCertificate(api, pending.name, settings, request);
  return {
    credential: {
      clientCertificate: { certificatePem, keyPem: pending.keyPem },
      expiresAt: expiryOf(certificatePem),
    },
  };
}

function identitiesOf({ bootstrap }: CertificateSettings, previous: PreviousCredential): readonly ClientConfig[] {
  const clientCertificate = previous.credential?.clientCertificate;
  if (clientCertificate === undefined) {
    return [bootstrap];
  }
  const { authorization: _, exec: __, clientCertificateFiles: ___, ...server } = bootstrap;
  return [{ ...server, clientCertificate }, bootstrap];
}

async function ask(
  api: CertificatesApi,
  { user, groups, signerName, durationMs }: CertificateSettings,
  request: CredentialRequest,
): Promise<PendingRequest> {
  const { requestPem, keyPem } = await createSigningRequest(user, groups);
  const name = `gatehouse-credential-${randomBytes(5).toString("hex")}`;
  // Before it is made: after a crash in between nobody would have the key of what somebody approves.
  await request.keep({ name, keyPem } satisfies PendingRequest);
  await api.create({ name, requestPem, signerName, durationMs }, request.signal);
  return { name, keyPem };
}

async function waitForCertificate(
  api: CertificatesApi,
  name: string,
  { approvalTimeoutMs, signerName }: CertificateSettings,
  request: CredentialRequest,
): Promise<string> {
  const toApprove = `approve it with: kubectl certificate approve ${name}`;
  const deadline = performance.now() + (request.previous.credential === undefined ? approvalTimeoutMs : renewalWaitMs);
  for (let polls = 0; ; polls++) {
    const state = await api.get(name, request.signal);
    const { certificatePem } = state ?? {};
    if (certificatePem !== undefined) {
      return certificatePem;
    }
    await refuseIfHopeless(name, state, request);
    if (performance.now() >= deadline) {
      throw new CredentialError(
        state?.isApproved === true
          ? `the certificate signing request ${name} is approved, and nobody has signed it for ${signerName}`
          : `the certificate signing request ${name} waits for approval; ${toApprove}`,
      );
    }
    if (polls === 1 && state?.isApproved !== true) {
      request.prompt(`Waiting for the approval of certificate signing request ${name}; ${toApprove}`);
    }
    await pause(polls === 0 ? pollMs / 4 : pollMs, request.signal);
    request.signal.throwIfAborted();
  }
}

/** A request that will never be answered is forgotten, so that the next run makes another. */
async function refuseIfHopeless(
  name: string,
  state: RequestState | undefined,
  request: CredentialRequest,
): Promise<void> {
  const why = state === undefined ? "was deleted" : state.refusal;
  if (why !== undefined) {
    await request.keep(null);
    throw new CredentialError(`the certificate signing request ${name} ${why}`);
  }
}

function parsePending(kept: unknown): PendingRequest | undefined {
  const { name, keyPem } = Object.assign({ name: undefined, keyPem: undefined }, kept);
  return typeof name === "string" && typeof keyPem === "string" ? { name, keyPem } : undefined;
}

function expiryOf(certificatePem: string): number {
  try {
    return Date.parse(new X509Certificate(certificatePem).validTo);
  } catch {
    throw new CredentialError("what the API server has issued is not a certificate");
  }
}
