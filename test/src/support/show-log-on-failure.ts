/** The length of the end of a log that is shown below a failed test. */
const maxShownCharacters = 20_000;

/**
 * Prints the log of a child process when this test process ends with a failure. node:test gives the tests of a file one
 * process and sets its exit code when one of them fails; a hook of a single test would not know yet how it went.
 */
export function showLogOnFailure(log: () => string): void {
  // A file of tests may start many servers, and that is no leak.
  process.setMaxListeners(0);
  process.once("exit", (code) => {
    if (code !== 0) {
      process.stderr.write(`--- the server's log ---\n${log().slice(-maxShownCharacters)}\n--- end of the log ---\n`);
    }
  });
}
