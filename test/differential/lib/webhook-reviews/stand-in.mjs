// The webhook of the areas about reviews, one for each side: it answers as the request under way has said, and keeps what it
// has received. Paths and answers belong to a key, so that cases may run beside each other.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";

export class StandIn {
  url;
  certificatePem;
  #keyOf;
  #usual;
  #programs = new Map();
  #calls = new Map();

  /**
   * `keyOf({ path, review })` tells whose call it is; undefined for one of nobody. `usual(review)` is the answer to such a call, and to
   * those about which nothing is said. It listens at any port, with a certificate of its own, unless `place` has `{ port, key, cert }`,
   * and keeps connections open unless `place.requestsPerConnection` is a limit.
   */
  static async start(keyOf, usual = allowing, place = { port: 0, ...selfSigned() }) {
    const made = new StandIn();
    made.#keyOf = keyOf;
    made.#usual = usual;
    await made.#listen(place);
    return made;
  }

  /** Sets how calls of a key are answered from now on: `answer({ path, review, nth })`, `nth` counted from 0. */
  expect(key, answer) {
    this.#programs.set(key, answer);
    this.#calls.set(key, []);
  }

  /** Returns the calls of a key since `expect`, `{ method, path, headers, text, review, answer }`, and ends it. */
  take(key) {
    const calls = this.#calls.get(key) ?? [];
    this.#calls.delete(key);
    this.#programs.delete(key);
    return calls;
  }

  async #listen({ port, key, cert, requestsPerConnection = 0 }) {
    this.certificatePem = cert;
    const server = createServer({ key, cert }, (request, response) => this.#receive(request, response));
    server.maxRequestsPerSocket = requestsPerConnection;
    server.unref();
    // v1.29 keeps connections open for 90 s.
    server.on("connection", (socket) => socket.unref());
    await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
    this.url = `https://127.0.0.1:${server.address().port}`;
  }

  async #receive(request, response) {
    const text = Buffer.concat(await request.toArray()).toString();
    const call = { path: request.url, review: JSON.parse(text) };
    const key = this.#keyOf(call);
    const calls = this.#calls.get(key);
    const answer = this.#programs.get(key)?.({ ...call, nth: calls.length }) ?? this.#usual(call.review, call.path);
    calls?.push({
      method: request.method,
      path: request.url,
      headers: request.headers,
      text,
      review: call.review,
      answer,
    });
    send(answer, request, response);
  }
}

/** Returns the answer that lets a write pass. */
function allowing({ apiVersion, kind, request }) {
  return { body: JSON.stringify({ apiVersion, kind, response: { uid: request.uid, allowed: true } }) };
}

/** Sends `{ status, headers, body }`, "hang", "close", or `{ cut }`: a head that promises more than this text. */
function send(answer, request, response) {
  if (answer === "hang") return;
  if (answer === "close") {
    request.socket.destroy();
    return;
  }
  if (answer.cut !== undefined) {
    response.writeHead(200, { "content-type": "application/json", "content-length": answer.cut.length + 100 });
    // It is to have arrived before the end.
    response.write(answer.cut, () => setTimeout(() => request.socket.destroy(), 50));
    return;
  }
  const { status = 200, headers = { "content-type": "application/json" }, body } = answer;
  response.writeHead(status, headers).end(body);
}

/** Makes a key and a certificate for 127.0.0.1, both as PEM, of which the latter is its own authority. */
export function selfSigned() {
  const folder = mkdtempSync(join(tmpdir(), "differential-webhook-"));
  const [keyFile, certFile] = [join(folder, "key"), join(folder, "cert")];
  const subject = ["-subj", "/CN=webhook", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2"];
  const files = ["-keyout", keyFile, "-out", certFile];
  execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", ...files, ...subject], { stdio: "ignore" });
  const made = { key: readFileSync(keyFile), cert: readFileSync(certFile, "utf8") };
  rmSync(folder, { recursive: true });
  return made;
}
