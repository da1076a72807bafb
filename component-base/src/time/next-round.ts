let due: (() => void)[] = [];
let last: (() => void)[] = [];
let isScheduled = false;
let isRunning = false;

/**
 * Calls `work` when the event loop has read from every connection that has something to read. What is read, handled and
 * written in turns for each request keeps none of the three in the processor's caches: with one request on each of many
 * connections that nearly doubles the cost of each. To be used once in the life of a request, when it is known whole.
 */
export function inNextRound(work: () => void): void {
  schedule();
  due.push(work);
}

/**
 * Calls `work` behind all work of the round that is being done, or else of the next one. What a connection sends then is all
 * that the round has brought about for it, in one write.
 */
export function atEndOfRound(work: () => void): void {
  if (!isRunning) {
    schedule();
  }
  last.push(work);
}

function schedule(): void {
  if (!isScheduled) {
    isScheduled = true;
    setImmediate(runRound);
  }
}

function runRound(): void {
  const works = due;
  due = [];
  isScheduled = false;
  isRunning = true;
  try {
    for (const work of works) {
      work();
    }
  } finally {
    isRunning = false;
    const ends = last;
    last = [];
    for (const work of ends) {
      work();
    }
  }
}
