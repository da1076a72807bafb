// Imported for its effect, before anything else, by the main module of every program. A stream without a listener for
// `error` ends the process when a write fails: standard output or standard error is a file on a full disk, a pipe whose
// reader has gone, a terminal that was closed. Libraries write there as well, while they are loaded and later. With a
// listener the write fails alone: its own callback gets the error, and the stream works again when the disk does.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", () => undefined);
}
