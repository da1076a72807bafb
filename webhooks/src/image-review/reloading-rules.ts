import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import {
  ConfigurationError,
  checkConfigDocument,
  type Logger,
  problemAt,
  readConfigFile,
  silentLogger,
} from "@gatehouse/component-base";
import { encodeJson, type gatehouseimagesV1alpha1 } from "@gatehouse/envelopes";
import { type CompiledImageRules, compileImageRules, imageRulesProblems } from "@gatehouse/policies";

/** Rules that are in force. */
export interface RuleSet {
  readonly rules: CompiledImageRules;
  /** Of what the document says; the same for the same rules, whatever the file looks like. Hexadecimal, 16 digits. */
  readonly hash: string;
}

/** Rules that follow their file, until disposed of. */
export interface ReloadingRules extends Disposable {
  readonly current: RuleSet;
  /** Looks at the file now. Rules that cannot be used are logged and change nothing. */
  checkNow(): Promise<"unchanged" | "reloaded" | "refused">;
}

/** Which file, and how it is followed. */
export interface ReloadingRulesOptions {
  readonly file: string;
  /** How often the file is looked at, in milliseconds. Default 5 seconds. */
  readonly pollIntervalMs?: number;
  /** Default: nothing is logged. */
  readonly logger?: Logger;
}

const kind = { group: "config.gatehouse.dev", version: "v1alpha1", kind: "ImageRules" };
const defaultPollIntervalMs = 5000;

/** Reads the rules and follows their file. Rejects with ConfigurationError when they cannot be used now. */
export async function openReloadingRules(options: ReloadingRulesOptions): Promise<ReloadingRules> {
  const { file, logger = silentLogger } = options;
  // The stamp is taken before the content: a change in between shows up as a change at the next look.
  let stamp = await stampOf(file);
  let current = await readRules(file);

  async function checkNow(): Promise<"unchanged" | "reloaded" | "refused"> {
    const seen = await stampOf(file);
    if (seen === stamp) {
      return "unchanged";
    }
    stamp = seen;
    try {
      current = await readRules(file);
    } catch (error) {
      logger.error("cannot use the new image rules, keeping the old ones", {
        file,
        error: error instanceof Error ? error : new Error(String(error)),
      });
      return "refused";
    }
    logger.info("image rules reloaded", { file, hash: current.hash });
    return "reloaded";
  }

  let looking = false;
  const timer = setInterval(() => {
    if (!looking) {
      looking = true;
      void checkNow().finally(() => {
        looking = false;
      });
    }
  }, options.pollIntervalMs ?? defaultPollIntervalMs);
  timer.unref();
  return {
    get current() {
      return current;
    },
    checkNow,
    [Symbol.dispose]() {
      clearInterval(timer);
    },
  };
}

async function readRules(file: string): Promise<RuleSet> {
  const document = await readConfigFile(file);
  const content = await checkConfigDocument<gatehouseimagesV1alpha1.ImageRules>(document, [kind]);
  const problems = imageRulesProblems(content);
  if (problems.length > 0) {
    throw new ConfigurationError(
      document.subject,
      problems.map(({ path, text }) => problemAt(path, text)),
    );
  }
  const hash = createHash("sha256").update(encodeJson(document.content)).digest("hex").slice(0, 16);
  return { rules: compileImageRules(content), hash };
}

/** Symbolic links into a mounted ConfigMap change what they lead to: file events do not tell. */
async function stampOf(file: string): Promise<string> {
  const found = await stat(file).catch(() => undefined);
  return found === undefined ? "gone" : `${found.ino}:${found.size}:${found.mtimeMs}`;
}
