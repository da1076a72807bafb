// The health check of a container: asks a process of Gatehouse whether it is ready, as nobody in particular, and believes
// the answer only when the certificate is the process's own. Exits with 0 when it is ready.
// Usage: node ask-health.mjs PORT CA-FILE
import { readFileSync } from "node:fs";
import { get } from "node:https";

const [port, caFile] = process.argv.slice(2);
const options = { host: "127.0.0.1", port, path: "/readyz", ca: readFileSync(caFile), timeout: 4000, agent: false };
const fail = (error) => {
  console.error(String(error));
  process.exitCode = 1;
};

get(options, (response) => {
  response.resume();
  if (response.statusCode !== 200) {
    fail(`/readyz answers ${response.statusCode}`);
  }
})
  .on("timeout", function stop() {
    this.destroy(new Error("no answer"));
  })
  .on("error", fail);
