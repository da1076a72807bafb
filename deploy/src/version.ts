import { createRequire } from "node:module";

/** What `--version` prints. */
export function versionText(): string {
  const { version }: { version: string } = createRequire(import.meta.url)("../package.json");
  return `Gatehouse v${version}`;
}
