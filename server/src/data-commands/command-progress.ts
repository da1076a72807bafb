import { type CommandIo, progressBar } from "@gatehouse/component-base/commands";

/** The work whose progress is shown. */
export interface ProgressOf {
  /** The start of each line: `reading`. */
  readonly label: string;
  readonly unit: string;
  /** 0 when it is unknown. */
  readonly total: number;
}

/** Time between two lines where there is no terminal. */
const lineMs = 10_000;

/**
 * Does long work, which calls `advance` as it goes on: a bar shows that on a terminal, and elsewhere a line on standard
 * error every ten seconds.
 */
export async function withProgress<T>(
  io: CommandIo,
  { label, unit, total }: ProgressOf,
  work: (advance: (by: number) => void) => Promise<T>,
): Promise<T> {
  const bar = progressBar(total, io, `${label} `);
  let done = 0;
  let nextAt = performance.now() + lineMs;
  const advance = (by: number): void => {
    bar.advance(by);
    done += by;
    if (io.showProgress === undefined && performance.now() >= nextAt) {
      nextAt = performance.now() + lineMs;
      io.printError(`${label}: ${done}${total === 0 ? "" : ` of ${total}`} ${unit}`);
    }
  };
  try {
    return await work(advance);
  } finally {
    io.showProgress?.("");
  }
}
