// Stands in for a kubelet and for applications. Tells in the answer which request has arrived, so that the requests of two
// servers can be compared, or answers as the path asks: /code/404, /move?to=URL, /page, /pieces, /short, /cut.
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

/** An address of this machine that is not of the loopback network: servers refuse to pass requests on to that one. */
export const address = Object.values(networkInterfaces())
  .flat()
  .find(({ family, internal }) => family === "IPv4" && !internal)?.address;

/** Starts a kubelet (HTTPS) and an application (HTTP, and HTTPS) on free ports. Nothing keeps the process alive for them. */
export async function startStandIns() {
  if (address === undefined) {
    throw new Error("this machine has the loopback network alone");
  }
  const certificate = selfSigned();
  const [kubelet, secure, plain] = await Promise.all(
    [createHttpsServer(certificate), createHttpsServer(certificate), createHttpServer()].map(listening),
  );
  return { kubelet, secure, plain };
}

async function listening(server) {
  server.on("request", answer).on("upgrade", change).unref();
  server.listen(0, address);
  await once(server, "listening");
  return server.address().port;
}

function selfSigned() {
  const folder = mkdtempSync(join(tmpdir(), "stand-in-"));
  const [keyFile, certFile] = [join(folder, "key"), join(folder, "crt")];
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  try {
    execFileSync("openssl", ["req", "-x509", ...kind, "-subj", "/CN=kubelet", "-keyout", keyFile, "-out", certFile], {
      stdio: "ignore",
    });
    return { key: readFileSync(keyFile), cert: readFileSync(certFile) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function answer(request, response) {
  const body = [];
  for await (const piece of request) {
    body.push(piece);
  }
  const [, name, argument] =
    /\/(code|move|page|zipped|pieces|short|cut|cookies|type)(?:\/([^/?]*))?(?:[/?]|$)/.exec(request.url) ?? [];
  const known = answers[name];
  if (known === undefined) {
    response.setHeader("content-type", "application/json").end(told(request, Buffer.concat(body)));
  } else {
    known(response, argument, new URL(request.url, "http://stand.in").searchParams);
  }
}

const page = `<html><head><base href="/b"></head><body><a href="/x?y=1#z">x</a><a href="rel">r</a><img src='/i.png'><form action="/f">
<a href="http://elsewhere.example/q">q</a><a href="//host/p">p</a><link href=/bare><script src="/s.js">"/not"</script></body></html>`;

const answers = {
  code: (response, code) =>
    response
      .writeHead(Number(code), { "content-type": "text/plain" })
      .end(code === "204" || code === "304" ? "" : `it is ${code}\n`),
  move: (response, code, parameters) =>
    response.writeHead(Number(code), { location: parameters.get("to") }).end("moved"),
  page: (response, type) =>
    response.setHeader("content-type", type ? "text/html; charset=utf-8" : "text/html").end(page),
  zipped: (response) =>
    response.writeHead(200, { "content-type": "text/html", "content-encoding": "gzip" }).end(gzipSync(page)),
  pieces: (response) => {
    response.setHeader("trailer", "x-end");
    response.write("one ");
    setTimeout(() => {
      response.addTrailers({ "x-end": "yes" });
      response.end("two");
    }, 20);
  },
  short: (response) => {
    response.writeHead(200, { "content-length": "100" });
    response.write("short");
    setTimeout(() => response.socket?.destroy(), 20);
  },
  cut: (response) => response.socket?.destroy(),
  cookies: (response) =>
    response
      .writeHead(200, {
        "set-cookie": ["a=1; Path=/", "b=2"],
        "x-own": "1",
        "keep-alive": "timeout=9",
        "strict-transport-security": "max-age=1",
        "access-control-allow-origin": "https://stand.in",
        "cache-control": "max-age=5",
        server: "stand-in",
      })
      .end("x"),
  type: (response, type) => response.setHeader("content-type", decodeURIComponent(type)).end("<a href='/x'>"),
};

/** Leaves out what Go's HTTP clients send of their own: compression that they undo, and their name. */
function told({ method, url, headers }, body) {
  const own = { connection: "keep-alive", "accept-encoding": "gzip", "user-agent": "Go-http-client/1.1" };
  const sent = Object.entries(headers).filter(([name, value]) => own[name] !== value);
  return `${JSON.stringify({ method, url, headers: Object.fromEntries(sent.sort()), body: body.toString() })}\n`;
}

/** Changes the protocol, tells the request, sends back in capitals what follows, and ends. Paths with /code/N refuse. */
function change(request, socket) {
  socket.on("error", () => {});
  const [, code] = /\/code\/(\d+)/.exec(request.url) ?? /[?&](?:command|container)=code(\d+)/.exec(request.url) ?? [];
  if (code !== undefined) {
    socket.end(
      `HTTP/1.1 ${code} Refused\r\nContent-Type: text/plain\r\nContent-Length: 8\r\nDate: ${new Date().toUTCString()}\r\nX-Own: 1\r\n\r\nrefused\n`,
    );
    return;
  }
  const { upgrade = "" } = request.headers;
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${upgrade}\r\nX-Own: 1\r\n\r\n`);
  socket.write(told(request, Buffer.alloc(0)));
  const end = setTimeout(() => socket.end("bye\n"), 150);
  socket.on("data", (piece) => socket.write(piece.toString("latin1").toUpperCase(), "latin1"));
  socket.once("close", () => clearTimeout(end));
}
