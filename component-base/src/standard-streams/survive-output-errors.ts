// Imported for its effect, before anything else, by the main module of every program. A stream without a listener for
// `error` ends the process when a write fails: standard output or standard error is a file on a full disk, a pipe whose
// reader has gone, a terminal that was closed. Libraries write there as well, while they are loaded and later. With a
// listener the write fails alone: its own callback gets the error, and the stream works again when the disk does.
let isTold = false;
process.stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
  // A program that ends by itself tells that its output is not complete. One that serves exits with a code of its own.
  process.exitCode = 1;
  // A reader who has gone has seen enough: `| head`.
  if (!isTold && code !== "EPIPE") {
    isTold = true;
    process.stderr.write(`standard output: ${message}\n`);
  }
});
process.stderr.on("error", () => undefined);
