// Reports a run of node's test runner to people: a character for each test, one line at once for each that fails, the tests
// that still run when a file is ended since it takes too long, and at the end which files took longest, why tests were skipped, how those that failed did, and node's totals (`ℹ tests 12`),
// which .ci/run reads.
// Usage: node --test --test-reporter=./scripts/test-reporter.mjs ...
import { relative } from "node:path";
import { inspect } from "node:util";

const perLine = 100;
/** The number of slow files that are named, and the seconds of tests from which a file is slow. */
const slowFiles = 15;
const slowFromSeconds = 10;
/** Seconds that the runner may go on after the last test. */
const leftoversSeconds = 10;
/** The number of tests that are named when a file takes too long: of all that run, those that have run longest. */
const longestRunning = 5;
const totals = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) /;

/** Turns the events of a run into text; the runner calls it. */
export default async function* report(events) {
  const run = new Run();
  for await (const { type, data } of events) {
    switch (type) {
      case "test:dequeue":
        run.open(data);
        break;
      case "test:complete":
        run.close(data);
        break;
      case "test:start":
        run.begin(data);
        break;
      case "test:pass":
        yield* run.pass(data);
        break;
      case "test:fail":
        yield* run.fail(data);
        break;
      case "test:diagnostic":
        yield* run.note(data);
        break;
      case "test:stdout":
      case "test:stderr":
        yield run.interrupt(data.message);
        break;
    }
  }
  if (process.execArgv.includes("--test")) {
    endInSpiteOfLeftovers();
  }
  yield run.summary();
}

/** Ends the runner when it goes on after all tests: a process that a test has left holds its output, and is waited for. */
function endInSpiteOfLeftovers() {
  setTimeout(() => {
    process.stderr.write("failed: a process that a test has started still runs, and holds the output of the test\n");
    process.exit(1);
  }, leftoversSeconds * 1000).unref();
}

class Run {
  /** Names of the tests that are open, by how deep they are nested. */
  #names = [];
  #marks = 0;
  #failures = [];
  #skipped = new Map();
  /** Milliseconds of the tests of each file; hooks of the file itself are not among them. */
  #millisecondsByFile = new Map();
  #totals = [];
  /** Start times of the tests under way, by name and place, in the order of their starts. */
  #running = new Map();

  /** A test, whose result may be told much later than `close`: results come in the order of the files. */
  open(data) {
    if (data.name !== data.file) {
      this.#running.set(`${data.name}${placeOf(data)}`, performance.now());
    }
  }

  close(data) {
    this.#running.delete(`${data.name}${placeOf(data)}`);
  }

  begin({ name, nesting }) {
    this.#names.length = nesting;
    this.#names.push(name);
  }

  *pass(data) {
    this.#addTime(data);
    if (data.skip !== undefined) {
      const reason = typeof data.skip === "string" && data.skip !== "" ? data.skip : "no reason given";
      this.#skipped.set(reason, (this.#skipped.get(reason) ?? 0) + 1);
    }
    if (data.details?.type !== "suite") {
      yield this.#mark(data.skip === undefined ? "." : "s");
    }
  }

  *fail(data) {
    this.#addTime(data);
    if (data.todo !== undefined) {
      yield this.#mark("t");
      return;
    }
    const error = data.details?.error;
    // Told of the test below that has failed.
    if (error?.failureType === "subtestsFailed") {
      return;
    }
    const name = [...this.#names.slice(0, data.nesting), data.name].join(" > ");
    const place = placeOf(data);
    this.#failures.push({ name, place, error: error?.cause ?? error });
    yield this.interrupt(`failed: ${name}${place}\n`);
    if (error?.failureType === "testTimeoutFailure") {
      yield* this.#stillRunning();
    }
  }

  *note({ message, nesting }) {
    if (nesting === 0 && totals.test(message)) {
      this.#totals.push(message);
    } else {
      yield this.interrupt(`note: ${message}\n`);
    }
  }

  /** Text of a line of its own, between the characters of tests. */
  interrupt(text) {
    const isWithinLine = this.#marks % perLine !== 0;
    this.#marks = 0;
    return isWithinLine ? `\n${text}` : text;
  }

  *#stillRunning() {
    const now = performance.now();
    for (const [test, since] of [...this.#running].slice(0, longestRunning)) {
      yield `running for ${Math.round((now - since) / 1000)} s: ${test}\n`;
    }
  }

  #addTime({ file, nesting, details }) {
    if (nesting === 0 && file !== undefined) {
      this.#millisecondsByFile.set(file, (this.#millisecondsByFile.get(file) ?? 0) + (details?.duration_ms ?? 0));
    }
  }

  #slowest() {
    const slow = [...this.#millisecondsByFile].filter(([, milliseconds]) => milliseconds >= 1000 * slowFromSeconds);
    return slow
      .sort(([, one], [, other]) => other - one)
      .slice(0, slowFiles)
      .map(([file, milliseconds]) => `slow: ${Math.round(milliseconds / 1000)} s ${relative(process.cwd(), file)}\n`);
  }

  summary() {
    const skipped = [...this.#skipped].map(([reason, count]) => `skipped ${count}: ${reason}\n`);
    const failed = this.#failures.map(
      ({ name, place, error }) =>
        `\n✖ ${name}${place}\n${indent(typeof error === "string" ? error : inspect(error))}\n`,
    );
    return this.interrupt(
      [...this.#slowest(), ...skipped, ...failed, "\n", ...this.#totals.map((total) => `ℹ ${total}\n`)].join(""),
    );
  }

  #mark(character) {
    this.#marks++;
    return this.#marks % perLine === 0 ? `${character}\n` : character;
  }
}

function placeOf({ file, line }) {
  if (file === undefined) {
    return "";
  }
  return ` (${relative(process.cwd(), file)}${line === undefined ? "" : `:${line}`})`;
}

function indent(text) {
  return text.replace(/^(?=.)/gm, "  ");
}
