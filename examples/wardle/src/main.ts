import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { startWardle } from "./start.js";

const directory = resolve(process.argv[2] ?? ".wardle");
const token = randomUUID();
const server = await startWardle(directory, token);
const authority = `${directory}/certificates/apiserver-ca.crt`;
console.log(
  `kubectl --server=${server.url} --certificate-authority=${authority} --token=${token} get flunders,catches`,
);
process.once("SIGINT", () => void server[Symbol.asyncDispose]());
process.once("SIGTERM", () => void server[Symbol.asyncDispose]());
