let due: (() => void)[] = [];

/**
 * Calls `work` when the event loop has read from every connection that has something to read. What is read, handled and
 * written in turns for each request keeps none of the three in the processor's caches: with one request on each of many
 * connections that nearly doubles the cost of each. To be used for a request when it is known whole, and for a connection when
 * it has something to send: what other requests bring about meanwhile goes out with it.
 */
export function inNextRound(work: () => void): void {
  if (due.length === 0) {
    setImmediate(runRound);
  }
  due.push(work);
}

/** Number of the round that runs, or ran last. */
let round = 0;
let isRunning = false;

/**
 * Returns the number of the round that runs; undefined while none does. Nothing has come from outside since it began: what is
 * read once of what others change holds for all of its work.
 */
export function currentRound(): number | undefined {
  return isRunning ? round : undefined;
}

function runRound(): void {
  const works = due;
  due = [];
  round++;
  isRunning = true;
  try {
    for (const work of works) {
      work();
    }
  } finally {
    isRunning = false;
  }
}
