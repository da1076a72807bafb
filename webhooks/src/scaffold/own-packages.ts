import { realpath } from "node:fs/promises";
import { dirname, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { version } from "@gatehouse/component-base";

const names = ["@gatehouse/envelopes", "@gatehouse/webhooks"] as const;

/**
 * What a project that uses the toolkit depends on, as package.json says it: the published version; or, when this program
 * runs out of a checkout, the folders of that.
 */
export async function ownPackages(): Promise<Readonly<Record<string, string>>> {
  const folders = await Promise.all(names.map(folderOf));
  return Object.fromEntries(
    names.map((name, index) => {
      const folder = folders[index] as string;
      return [name, folder.split(sep).includes("node_modules") ? version : `file:${folder}`];
    }),
  );
}

/** Its entry lies in `dist`. */
async function folderOf(name: string): Promise<string> {
  return dirname(dirname(await realpath(fileURLToPath(import.meta.resolve(name)))));
}
