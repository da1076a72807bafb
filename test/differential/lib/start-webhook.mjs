// A webhook of an area: a server with a certificate that is its own authority, which ends with this process.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Starts a webhook on 127.0.0.1 that answers every review, which has been parsed, with what `answer(review, path)` returns.
 * Returns its URL without a path, and its certificate.
 */
export async function startWebhook(answer) {
  const folder = mkdtempSync(join(tmpdir(), "differential-webhook-"));
  const [keyFile, certFile] = [join(folder, "key"), join(folder, "cert")];
  const subject = ["-subj", "/CN=webhook", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2"];
  const files = ["-keyout", keyFile, "-out", certFile];
  execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", ...files, ...subject], { stdio: "ignore" });
  const [key, cert] = [readFileSync(keyFile), readFileSync(certFile, "utf8")];
  rmSync(folder, { recursive: true });
  const server = createServer({ key, cert }, async (request, response) => {
    const chunks = await request.toArray();
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(answer(JSON.parse(Buffer.concat(chunks).toString()), request.url)));
  });
  server.unref();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `https://127.0.0.1:${server.address().port}`, certificatePem: cert };
}
