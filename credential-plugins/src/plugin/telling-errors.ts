import type { CommandIo } from "@gatehouse/component-base/commands";
import { CredentialError } from "./credential-error.js";

/**
 * Runs what a plugin does and tells in one line why it could not. Of an error that nobody foresaw only the place is told:
 * its text may quote what was being read, which may be a token.
 */
export async function tellingErrors(name: string, io: CommandIo, run: () => Promise<void>): Promise<number> {
  try {
    await run();
    return 0;
  } catch (error) {
    if (error instanceof CredentialError) {
      io.printError(`${name}: ${error.message}`);
      return 1;
    }
    if (error instanceof Error && expectedNames.has(error.name)) {
      throw error;
    }
    const [place] = error instanceof Error ? (error.stack?.match(/^ +at .*$/m) ?? []) : [];
    io.printError(`${name}: unexpected ${error instanceof Error ? error.name : typeof error}${place ?? ""}`);
    return 1;
  }
}

/** Names of the errors that the commands of every program report in one way. */
const expectedNames: ReadonlySet<string> = new Set(["ConfigurationError", "HttpClientError"]);
