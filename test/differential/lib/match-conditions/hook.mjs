// The webhook of the area `match-conditions`: its answers tell who was called. A response has a warning and an audit
// annotation for each webhook that was called, an object the names of those that may change it, in their order.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Returns the answer to a review at a path: `/NAME`, of which one that begins with `m` changes, with `deny` refuses. */
export function answerReview({ apiVersion, kind, request }, path) {
  const name = path.slice(1).split("?")[0];
  const response = {
    uid: request.uid,
    allowed: true,
    warnings: [`called ${name}`],
    auditAnnotations: { called: name },
  };
  if (name.startsWith("deny")) {
    response.allowed = false;
    response.status = { message: `${name} refuses`, code: 403, reason: "Forbidden" };
  }
  if (name.startsWith("m") && request.object) {
    const { annotations = {} } = request.object.metadata;
    const value = { ...annotations, calls: `${annotations.calls ?? ""}${name} ` };
    const patch = [{ op: "add", path: "/metadata/annotations", value }];
    response.patchType = "JSONPatch";
    response.patch = Buffer.from(JSON.stringify(patch)).toString("base64");
  }
  return { apiVersion, kind, response };
}

/** Starts the webhook on 127.0.0.1 with a certificate that is its own authority; it ends with this process. */
export async function startHook() {
  const folder = mkdtempSync(join(tmpdir(), "match-conditions-"));
  const [keyFile, certFile] = [join(folder, "key"), join(folder, "cert")];
  const subject = ["-subj", "/CN=webhook", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2"];
  const files = ["-keyout", keyFile, "-out", certFile];
  execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", ...files, ...subject], { stdio: "ignore" });
  const [key, cert] = [readFileSync(keyFile), readFileSync(certFile, "utf8")];
  rmSync(folder, { recursive: true });
  const server = createServer({ key, cert }, async (request, response) => {
    const chunks = await request.toArray();
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(answerReview(JSON.parse(Buffer.concat(chunks).toString()), request.url)));
  });
  server.unref();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `https://127.0.0.1:${server.address().port}`, certificatePem: cert };
}
