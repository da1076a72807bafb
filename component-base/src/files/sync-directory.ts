import { open } from "node:fs/promises";

/** Makes the names in a folder durable: what was made, renamed and removed there survives a loss of power. */
export async function syncDirectory(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
