import { type Controller, type ControllerOptions, reconcile } from "@gatehouse/apiserver/client";
import { setCondition, timestamp } from "@gatehouse/apiserver/objects";
import { CertificateRequestError, SignRequestError } from "@gatehouse/component-base/errors";
import { type CertificateAndKey, readCertificateRequest, signRequest } from "@gatehouse/component-base/pki";
import { integerAt, type JsonObject, listAt, ownObject, textAt, textsAt, valueAt } from "@gatehouse/envelopes/json";
import { type SignerName, signerNames, signingProblem } from "../../validation/certificate-signers.js";
import { certificateSigningRequests } from "../core-resources.js";
import { usagesOfRequest } from "./key-usages.js";

/** The options of the signing controller. */
export interface CertificateSigningOptions extends ControllerOptions {
  /** Resolves the current authority: its files may be replaced. */
  readonly authority: () => Promise<CertificateAndKey>;
  /** The longest validity of a certificate, in milliseconds. */
  readonly durationMs: number;
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number;
}

/** Milliseconds by which validity begins earlier: clocks of others may be behind. */
const backdateMs = 5 * 60_000;
/** Milliseconds below which the end of a validity is not moved earlier, too. */
const shortMs = 8 * 60 * 60_000;
const minDurationMs = 10 * 60_000;

/** Signs approved requests for the signers that the API server knows, or tells why it does not. */
export function certificateSigning(options: CertificateSigningOptions): Controller {
  const { client } = options;
  return {
    name: "certificatesigningrequest-signing-controller",
    run: (signal) =>
      reconcile({
        ...options,
        signal,
        concurrency: 5,
        sources: [
          {
            resource: certificateSigningRequests,
            keyOf: ({ name, entry }, event) =>
              event !== "DELETED" && signerOf(entry.object()) !== undefined ? name : undefined,
          },
        ],
        async work(name) {
          const request = await client.get(certificateSigningRequests, "", name);
          if (request !== undefined && signerOf(request) !== undefined) {
            await sign(options, request);
          }
          return undefined;
        },
      }),
  };
}

/** Returns the signer of a request that is due; undefined if the signer is not known here, or nothing is left to do. */
function signerOf(request: JsonObject): SignerName | undefined {
  const has = (type: string): boolean =>
    listAt(request, "status", "conditions").some(
      (condition) => textAt(condition, "type") === type && textAt(condition, "status") === "True",
    );
  const isDue = has("Approved") && !has("Denied") && !has("Failed") && textAt(request, "status", "certificate") === "";
  return isDue ? signerNames.find((signer) => signer === textAt(request, "spec", "signerName")) : undefined;
}

async function sign(options: CertificateSigningOptions, request: JsonObject): Promise<void> {
  const signer = signerOf(request) as SignerName;
  const outcome = await outcomeOf(options, request, signer);
  await options.client.update(
    certificateSigningRequests,
    { namespace: "", name: textAt(request, "metadata", "name"), subresource: "status" },
    (stored) => {
      if (signerOf(stored) === undefined || textAt(stored, "metadata", "uid") !== textAt(request, "metadata", "uid")) {
        return undefined;
      }
      if ("problem" in outcome) {
        const now = timestamp(options.now());
        const failed = { type: "Failed", status: "True", reason: "SignerValidationFailure" } as const;
        setCondition(stored, { ...failed, message: outcome.problem, lastUpdateTime: now }, now);
      } else {
        ownObject(stored, "status")["certificate"] = Buffer.from(outcome.certificate).toString("base64");
      }
      return stored;
    },
  );
}

type Outcome = { readonly certificate: string } | { readonly problem: string };

async function outcomeOf(
  options: CertificateSigningOptions,
  request: JsonObject,
  signer: SignerName,
): Promise<Outcome> {
  const usages = textsAt(request, "spec", "usages");
  try {
    const asked = readCertificateRequest(Buffer.from(textAt(request, "spec", "request"), "base64"));
    const problem = signingProblem(signer, asked, usages);
    if (problem !== undefined) {
      return { problem };
    }
    const issuer = await options.authority();
    return {
      certificate: await signRequest(asked, { issuer, ...validity(options, request), ...usagesOfRequest(usages) }),
    };
  } catch (error) {
    if (error instanceof CertificateRequestError) {
      return { problem: `unable to parse certificate request: ${error.message}` };
    }
    if (error instanceof SignRequestError) {
      return { problem: error.message };
    }
    throw error;
  }
}

function validity(
  { durationMs, now }: CertificateSigningOptions,
  request: JsonObject,
): { readonly notBefore: Date; readonly notAfter: Date } {
  const asked = valueAt(request, "spec", "expirationSeconds");
  const askedMs =
    asked === undefined || asked === null ? durationMs : Number(integerAt(request, "spec", "expirationSeconds")) * 1000;
  const ms = askedMs > durationMs ? durationMs : Math.max(askedMs, minDurationMs);
  const nowMs = now();
  return {
    notBefore: new Date(nowMs - backdateMs),
    notAfter: new Date(nowMs + ms - (ms < shortMs ? 0 : backdateMs)),
  };
}
