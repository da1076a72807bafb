import { PassThrough } from "node:stream";
import { outputContract } from "./output-contract.test.support.js";
import { stdoutOutput } from "./stdout-output.js";

outputContract("standard output", { keepsOnce: false, canFail: false }, async () => {
  const stream = new PassThrough({ highWaterMark: 1024 });
  let text = "";
  stream.on("data", (piece: Buffer) => {
    text += piece.toString();
  });
  return {
    open: async () => stdoutOutput(stream),
    received: async () =>
      text
        .split("\n")
        .slice(0, -1)
        .map((line) => (JSON.parse(line) as { auditID: string }).auditID),
    breakDown: async () => {},
    mend: async () => {},
    async [Symbol.asyncDispose]() {},
  };
});
