import type { CommandIo } from "./command.js";

/** A progress display. */
export interface Progress {
  advance(by: number): void;
}

const width = 30;
/** Terminals are written to no more often. */
const showMs = 100;

/** A bar on the terminal, if there is one, with `label` before it. Without a total it tells the number only. */
export function progressBar(total: number, { showProgress }: Pick<CommandIo, "showProgress">, label = ""): Progress {
  let done = 0;
  let nextAt = 0;
  return {
    advance(by) {
      done += by;
      const now = performance.now();
      if (showProgress === undefined || now < nextAt) {
        return;
      }
      nextAt = now + showMs;
      const share = total === 0 ? 0 : Math.min(1, done / total);
      const filled = Math.round(share * width);
      const bar = `[${"#".repeat(filled)}${".".repeat(width - filled)}] ${Math.floor(share * 100)}%`;
      showProgress(`${label}${total === 0 ? done : bar}`);
    },
  };
}
