/**
 * Returns an option of Node.js by which a program believes to run on a host of this name: servers on one machine have one
 * identity otherwise.
 */
export function onHost(name: string): string {
  const code = [
    'import os from "node:os";',
    'import { syncBuiltinESMExports } from "node:module";',
    `os.hostname = () => ${JSON.stringify(name)};`,
    "syncBuiltinESMExports();",
  ].join("\n");
  return `--import=data:text/javascript,${encodeURIComponent(code)}`;
}
