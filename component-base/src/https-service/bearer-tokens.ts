import { createHash, timingSafeEqual } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { CallerAuthenticator, CallerVerdict } from "./caller-authentication.js";

/** The file of the tokens, and how it is used. */
export interface BearerTokenOptions {
  /** One token a line, so that the old one still counts while callers change to the new one. Empty lines do not count. */
  readonly file: string;
  /** Name of a caller with one of the tokens. Default `bearer token`. */
  readonly name?: string;
  /** Time in milliseconds for which the file's content is used before it is read again. Default 10,000. */
  readonly lifetimeMs?: number;
  /** Milliseconds on a clock that only goes forward. Default `performance.now`. */
  readonly now?: () => number;
}

const defaultLifetimeMs = 10_000;
const noOpinion: CallerVerdict = Object.freeze({ outcome: "noOpinion" });
const rejected: CallerVerdict = Object.freeze({ outcome: "rejected", reason: "the bearer token is not known here" });

/**
 * Believes callers that send a token of a file in `Authorization: Bearer`. Tokens are compared by digest in constant
 * time and never kept as they are. Rejects when the file cannot be read now; later, the tokens last read go on counting.
 */
export async function openBearerTokens(options: BearerTokenOptions): Promise<CallerAuthenticator> {
  const { lifetimeMs = defaultLifetimeMs, now = () => performance.now() } = options;
  const accepted: CallerVerdict = Object.freeze({ outcome: "accepted", name: options.name ?? "bearer token" });
  let digests = await readDigests(options.file);
  if (digests.length === 0) {
    throw new Error(`${options.file} holds no token`);
  }
  let readAt = now();

  async function readAgainIfDue(): Promise<void> {
    if (now() - readAt < lifetimeMs) {
      return;
    }
    readAt = now();
    const read = await readDigests(options.file).catch(() => []);
    // A file that is being replaced may be empty or gone for a moment.
    digests = read.length === 0 ? digests : read;
  }

  return {
    async authenticate(request) {
      const token = /^\s*Bearer +([^ ]+)\s*$/i.exec(request.headers.authorization ?? "")?.[1];
      if (token === undefined) {
        return noOpinion;
      }
      await readAgainIfDue();
      const digest = digestOf(token);
      let found = false;
      for (const candidate of digests) {
        found = timingSafeEqual(candidate, digest) || found;
      }
      return found ? accepted : rejected;
    },
  };
}

async function readDigests(file: string): Promise<readonly Buffer[]> {
  const text = await readFile(file, "utf8");
  const tokens = text.split(/\r?\n/).map((line) => line.trim());
  return tokens.filter((token) => token !== "").map(digestOf);
}

function digestOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
