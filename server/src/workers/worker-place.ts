/** The number of a worker, from 1, and the number of workers. */
export interface WorkerPlace {
  readonly number: number;
  readonly count: number;
}

/** Renders the place of a worker, as its command line has it: `2/4`. */
export function placeText({ number, count }: WorkerPlace): string {
  return `${number}/${count}`;
}

/** Parses the place of a worker. Undefined for any other text. */
export function parsePlace(text = ""): WorkerPlace | undefined {
  const [, number, count] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  return number === undefined ? undefined : { number: Number(number), count: Number(count) };
}
