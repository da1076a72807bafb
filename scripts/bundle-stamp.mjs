// Remembers from which files a bundle was made, so that it is not made again while none of them has changed. Files count
// as unchanged while size and time of change are the same: tsc writes only what differs.
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Reports whether all files are as they were when the stamp was written, and all outputs exist. */
export function isFresh(stampFile) {
  try {
    const { inputs, outputs } = JSON.parse(readFileSync(stampFile, "utf8"));
    return (
      Object.entries(inputs).every(([path, state]) => stateOf(path) === state) &&
      outputs.every((path) => existsSync(path))
    );
  } catch {
    // There is no stamp, or half of one, or an input has gone.
    return false;
  }
}

/** The states of files, by path. */
export function statesOf(paths) {
  return Object.fromEntries(paths.map((path) => [path, stateOf(path)]));
}

export function writeStamp(stampFile, inputs, outputs) {
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, JSON.stringify({ inputs, outputs }));
}

function stateOf(path) {
  const { size, mtimeMs } = statSync(path);
  return `${size} ${mtimeMs}`;
}
