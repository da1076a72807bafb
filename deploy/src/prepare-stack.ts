import { resolve } from "node:path";
import { type DataDir, explained } from "./data-dir.js";
import { ensureLocalPki } from "./local-pki.js";
import { writeAdmissionConfiguration } from "./parts/admission-configuration.js";
import { admissionServer } from "./parts/admission-server.js";
import { apiServer } from "./parts/api-server.js";
import { auditSink, writeAuditConfiguration } from "./parts/audit-sink.js";
import { authorizationServer, writeAuthorizationConfiguration } from "./parts/authorization-server.js";
import { identityProvider, oidcFlags } from "./parts/identity-provider.js";
import { imageReviewServer } from "./parts/image-review-server.js";
import type { StackContext } from "./parts/stack-context.js";
import type { StackParts } from "./parts/stack-parts.js";
import { tokenReviewServer, writeTokenReviewConfiguration } from "./parts/token-review-server.js";
import { openPorts } from "./ports.js";
import type { StackRequest } from "./starter-messages.js";

/** A stack whose processes can be started. */
export interface PreparedStack {
  readonly context: StackContext;
  readonly parts: StackParts;
}

/**
 * Makes the certificates of a stack, chooses its ports and writes the configuration of its processes. `note` gets
 * sentences for people. Throws StartError.
 */
export async function prepareStack(
  dataDir: DataDir,
  request: StackRequest,
  note: (sentence: string) => void,
): Promise<PreparedStack> {
  try {
    const ports = await openPorts(dataDir.fileOf("ports.json"), note);
    const port = await ports.reserve(request.port);
    const pki = await ensureLocalPki(dataDir, note);
    const context = { dataDir, pki, ports };
    const parts = await prepareParts(context, port, request);
    await ports.save();
    return { context, parts };
  } catch (error) {
    throw explained(dataDir.path, error);
  }
}

async function prepareParts(context: StackContext, port: number, request: StackRequest): Promise<StackParts> {
  const { without, with: additional, serverScript } = request;
  const withTokenReview = additional.includes("token-review");
  const [admission, imageReview, authorization, sink, provider] = await Promise.all([
    without.includes("admission") ? undefined : admissionServer(context),
    without.includes("image-review") ? undefined : imageReviewServer(context),
    additional.includes("authorization") ? authorizationServer(context) : undefined,
    without.includes("audit-sink") ? undefined : auditSink(context),
    request.withOidc || withTokenReview ? identityProvider(context) : undefined,
  ]);
  const tokenReview = provider && withTokenReview ? await tokenReviewServer(context, provider) : undefined;
  const moreFlags = await Promise.all([
    admission === undefined && imageReview === undefined ? [] : writeAdmissionConfiguration(context, imageReview),
    sink === undefined ? [] : writeAuditConfiguration(context, sink),
    authorization === undefined
      ? ["--authorization-mode=Node,RBAC"]
      : writeAuthorizationConfiguration(context, authorization),
    tokenReview === undefined ? [] : writeTokenReviewConfiguration(context, tokenReview),
    provider === undefined || tokenReview !== undefined ? [] : oidcFlags(context, provider),
  ]);
  const script = serverScript === undefined ? undefined : resolve(serverScript);
  return {
    apiServer: await apiServer(context, { port, script, moreFlags: moreFlags.flat(), identityProvider: provider }),
    admission,
    imageReview,
    authorization,
    tokenReview,
    auditSink: sink,
    identityProvider: provider,
  };
}
