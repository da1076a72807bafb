import type { ArchiveEntry } from "./archive.js";

/** The user of the processes in images, who is not root, and the group of the same number. */
export const imageUser = 65_532;

/** Returns what every image has beside its program: root and the user of the process by name, and a folder for temporary files. */
export function systemEntries(userName: string): readonly ArchiveEntry[] {
  const shell = "/sbin/nologin";
  return [
    {
      name: "etc/passwd",
      contents: `root:x:0:0:root:/:${shell}\n${userName}:x:${imageUser}:${imageUser}::/:${shell}\n`,
    },
    { name: "etc/group", contents: `root:x:0:\n${userName}:x:${imageUser}:\n` },
    { name: "tmp/", directory: true, mode: 0o1777 },
  ];
}

/** Returns entries with the folders above them, which container engines would make with modes of their own. */
export function withParents(entries: readonly ArchiveEntry[]): readonly ArchiveEntry[] {
  const all = new Map(entries.map((entry) => [entry.name, entry]));
  for (const { name } of entries) {
    const parts = name.replace(/\/$/, "").split("/");
    for (let depth = 1; depth < parts.length; depth++) {
      const folder = `${parts.slice(0, depth).join("/")}/`;
      if (!all.has(folder)) {
        all.set(folder, { name: folder, directory: true, mode: 0o755 });
      }
    }
  }
  return [...all.values()];
}
