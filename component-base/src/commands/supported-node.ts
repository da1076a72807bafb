/** The oldest Node.js that the programs run on: `engines` of every package. */
export const oldestNode = "20.19";

/**
 * Ends the process with exit code 1 and one sentence when its Node.js is too old. Called before anything else is loaded,
 * which would fail in its own words then; so this module imports nothing.
 */
export function requireSupportedNode(program: string): void {
  const [oldestMajor = 0, oldestMinor = 0] = oldestNode.split(".").map(Number);
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
    process.stderr.write(
      `${program} needs Node.js ${oldestNode} or newer; this is ${process.versions.node} (${process.execPath})\n`,
    );
    process.exit(1);
  }
}
