import { readFile, writeFile } from "node:fs/promises";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { sessionEvents } from "./recorded-events.js";
import { runSession } from "./run-session.js";

/*
 * Records what kube-apiserver v1.29 writes into its audit log of the session, under one policy:
 * node test/dist/conformance/audit-session/record.js POLICY PORT CA_FILE LOG_FILE OUT_FILE
 */
const [policy = "", port = "", caFile = "", logFile = "", outFile = ""] = process.argv.slice(2);
const tag = "recorded";
await runSession({ port: Number(port), certificateAuthorityPem: await readFile(caFile, "utf8") }, tag);
await new Promise((resolve) => setTimeout(resolve, 1000));
const events = sessionEvents(await readFile(logFile, "utf8"), tag);
const before = await readFile(outFile).then(
  (bytes) => JSON.parse(brotliDecompressSync(bytes).toString()) as object,
  () => ({}),
);
await writeFile(outFile, brotliCompressSync(JSON.stringify({ ...before, [policy]: events })));
process.stdout.write(`${policy}: ${Object.values(events).flat().length} events\n`);
