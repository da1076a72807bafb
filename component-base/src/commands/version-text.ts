import { version } from "../version.js";

/** Returns the line that a program prints for --version: `gatehouse-audit v0.1.0`. */
export function versionText(program: string, ofProgram: string | undefined): string {
  return `${program} v${ofProgram ?? version}`;
}
