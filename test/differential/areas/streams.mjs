// What goes through both servers to nodes, pods and services, before the same stand-ins: logs, exec, attach, portforward and
// proxies, with their mistakes. The stand-ins tell the requests that arrive, so these are compared, too.
import { gunzipSync } from "node:zlib";
import { address, startStandIns } from "../lib/streams/stand-in.mjs";

export const parallel = 8;

const namespace = "streams";
const root = `/api/v1/namespaces/${namespace}`;
const pods = `${root}/pods`;
const closedPort = 9;

const one = (name, ...steps) => ({ name, steps, independent: true });
const get = (path, headers, more) => ({ method: "GET", path, headers, view, ...more });
const send = (method, path, body, headers) => ({ method, path, body, headers, view });

/** The address of the front stands in forwarded headers. */
const view = ({ body }) => {
  const text = (body[0] === 0x1f && body[1] === 0x8b ? gunzipSync(body) : body)
    .toString("latin1")
    .replaceAll(/127\.0\.0\.1:\d+/g, "FRONT");
  try {
    return JSON.parse(text);
  } catch {
    return text.split("\n").map((line) => (line.startsWith('{"method"') ? JSON.parse(line) : line));
  }
};

/** Cases for a runner of differential areas. */
export async function* cases(...sides) {
  const ports = await startStandIns();
  for (const side of sides) {
    await setUp(side, ports);
  }
  yield* logs();
  yield* commands();
  yield* upgrades();
  yield* proxiedPaths(ports);
  yield* proxiedAnswers(ports);
  yield* proxiedNames(ports);
}

async function setUp(side, { kubelet, secure, plain }) {
  // Objects of an earlier run name the ports of its stand-ins.
  const make = async (path, object) => {
    await side.request({ method: "DELETE", path: `${path}/${object.metadata.name}?gracePeriodSeconds=0` });
    await side.request({
      method: "POST",
      path,
      body: JSON.stringify(object),
      headers: { "content-type": "application/json" },
    });
  };
  const patch = (path, object) =>
    side.request({
      method: "PATCH",
      path: `${path}/status`,
      body: JSON.stringify(object),
      headers: { "content-type": "application/merge-patch+json" },
    });
  const body = JSON.stringify({ metadata: { name: namespace } });
  await side.request({ method: "POST", path: "/api/v1/namespaces", body });
  for (const [name, status] of Object.entries(nodes(kubelet))) {
    await make("/api/v1/nodes", { metadata: { name } });
    await patch(`/api/v1/nodes/${name}`, { status });
  }
  for (const [name, { spec, status }] of Object.entries(podsOf(plain))) {
    await make(pods, { metadata: { name, labels: { app: name } }, spec });
    await patch(`${pods}/${name}`, { status });
  }
  for (const [name, spec, subsets] of servicesOf(plain, secure)) {
    await make(`${root}/services`, { metadata: { name }, spec });
    await make(`${root}/endpoints`, { metadata: { name }, subsets });
  }
}

const nodes = (kubelet) => ({
  "streams-here": status([{ type: "InternalIP", address }], kubelet),
  "streams-closed": status([{ type: "InternalIP", address }], closedPort),
  "streams-loopback": status([{ type: "InternalIP", address: "127.0.0.1" }], kubelet),
  "streams-nowhere": status([], kubelet),
  "streams-portless": { addresses: [{ type: "InternalIP", address }] },
});
const status = (addresses, Port) => ({ addresses, daemonEndpoints: { kubeletEndpoint: { Port } } });

const container = (name) => ({ name, image: "nginx" });
const podsOf = (plain) => {
  const pod = (spec, status = { podIP: address, podIPs: [{ ip: address }], phase: "Running" }) => ({
    spec: { terminationGracePeriodSeconds: 0, containers: [container("c")], ...spec },
    status,
  });
  const port = { ...container("c"), ports: [{ name: "web", containerPort: plain }] };
  return {
    web: pod({ nodeName: "streams-here", containers: [port] }),
    many: pod({ nodeName: "streams-here", containers: ["a", "b"].map(container), initContainers: [container("i")] }),
    unscheduled: pod({}, {}),
    "without-ip": pod({ nodeName: "streams-here" }, {}),
    loopback: pod({ nodeName: "streams-loopback" }, { podIP: "127.0.0.1", podIPs: [{ ip: "127.0.0.1" }] }),
    ...Object.fromEntries(
      ["closed", "nowhere", "portless", "absent"].map((name) => [name, pod({ nodeName: `streams-${name}` })]),
    ),
  };
};

const servicesOf = (plain, secure) => {
  const ports = [
    { name: "web", port: 80, targetPort: plain },
    { name: "tls", port: 443, targetPort: secure },
    { name: "shut", port: 81, targetPort: closedPort },
  ];
  const targetRef = { kind: "Pod", namespace, name: "web" };
  const at = (ip) => [
    {
      addresses: [{ ip, targetRef }],
      ports: ports.map(({ name, targetPort }) => ({ name, port: targetPort })),
    },
  ];
  return [
    ["web", { ports }, at(address)],
    ["single", { ports: [{ port: 80 }] }, [{ addresses: [{ ip: address, targetRef }], ports: [{ port: plain }] }]],
    ["empty", { ports }, []],
    [
      "unready",
      { ports },
      [{ notReadyAddresses: [{ ip: address, targetRef }], ports: [{ name: "web", port: plain }] }],
    ],
    ["outside", { type: "ExternalName", externalName: "outside.example", ports }, []],
  ];
};

function* logs() {
  const parameters = [
    ...["", "container=c", "container=zzz", "container=", "container=c&container=d", "container=i"],
    ...["follow=true", "follow=false", "follow=1", "follow=yes", "follow=", "follow", "follow=true&follow=false"],
    ...["previous=true", "previous=0", "timestamps=true", "timestamps=T", "timestamps=2"],
    ...["sinceSeconds=10", "sinceSeconds=0", "sinceSeconds=-1", "sinceSeconds=abc", "sinceSeconds=1.5"],
    ...["sinceSeconds=99999999999999999999", "sinceSeconds=", "sinceTime=2020-01-01T00:00:00Z", "sinceTime="],
    ...["sinceTime=2020-01-01T00:00:00.123456789%2B02:00", "sinceTime=yesterday", "sinceTime=2020-01-01"],
    ...["sinceTime=2020-01-01T00:00:00Z&sinceSeconds=1", "tailLines=0", "tailLines=5", "tailLines=-1", "tailLines=x"],
    ...["tailLines=1&tailLines=2", "tailLines=9223372036854775808", "limitBytes=1", "limitBytes=0", "limitBytes=-5"],
    ...[
      "insecureSkipTLSVerifyBackend=true",
      "insecureSkipTLSVerifyBackend=no",
      "unknown=1",
      "pretty=true",
      "stream=All",
    ],
    ...["Follow=true", "follow=true&timestamps=true&tailLines=3&limitBytes=9&previous=true&sinceSeconds=4", "a=%zz"],
    ...["container=c%20d", "container=..%2F..%2Fpods", "container=c%3Fx", "tailLines=%2B3", "tailLines=03"],
  ];
  for (const query of parameters) {
    for (const pod of ["web", "many"]) {
      yield one(`log of ${pod} ?${query}`, get(`${pods}/${pod}/log?${query}`));
    }
  }
  for (const pod of ["unscheduled", "without-ip", "loopback", "closed", "nowhere", "portless", "absent", "no-pod"]) {
    for (const query of ["", "?container=c", "?container=zzz"]) {
      yield one(`log of ${pod} ${query}`, get(`${pods}/${pod}/log${query}`));
    }
  }
  for (const name of ["a", "b", "i", "c", "A", "-"]) {
    yield one(`log of container ${name}`, get(`${pods}/many/log?container=${name}`));
  }
  for (const accept of [
    ...["text/plain", "*/*", "application/json", "application/yaml", "application/vnd.kubernetes.protobuf", "text/css"],
    ...["application/json;as=Table;v=v1;g=meta.k8s.io", "text/plain, application/json", "text/html;q=0.5", ""],
  ]) {
    yield one(`log as ${accept}`, get(`${pods}/web/log`, { accept }));
  }
  for (const method of ["POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]) {
    yield one(`log ${method}`, send(method, `${pods}/web/log`));
  }
  yield one("log in another protocol", get(`${pods}/web/log`, {}, { via: "http2" }));
  yield one("log of a path below", get(`${pods}/web/log/more`));
  yield one("log for nobody", get(`${pods}/web/log`, {}, { as: "none" }));
}

/** Requests of exec, attach and portforward that do not ask for another protocol, or ask for it wrongly. */
function* commands() {
  const queries = {
    exec: [
      ...["", "command=ls", "command=", "command=ls&command=-l", "command=ls&container=zzz", "command=ls&container="],
      ...["command=ls&stdin=true", "command=ls&stdout=true&stderr=true&tty=true", "command=ls&stdout=maybe"],
      ...["command=ls&stdout=false", "command=ls&stdout=true&container=c", "command=ls&stderr=true&tty=true"],
    ],
    attach: ["", "stdout=true", "stdin=true&tty=true", "stdout=true&container=zzz", "stdout=true&stderr=true&tty=true"],
    portforward: ["", "ports=80", "ports=0", "ports=70000", "ports=abc", "ports=80,81", "ports=80&ports=81"],
  };
  for (const [subresource, all] of Object.entries(queries)) {
    for (const query of all) {
      for (const pod of ["web", "many", "unscheduled", "no-pod"]) {
        for (const method of ["GET", "POST"]) {
          yield one(
            `${subresource} ${method} ${pod} ?${query}`,
            send(method, `${pods}/${pod}/${subresource}?${query}`),
          );
        }
      }
    }
    for (const method of ["PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]) {
      yield one(`${subresource} ${method}`, send(method, `${pods}/web/${subresource}`));
    }
    for (const pod of ["loopback", "closed", "nowhere", "portless", "absent"]) {
      yield one(`${subresource} ${pod}`, upgrade(`${pods}/${pod}/${subresource}?command=ls&stdout=true&ports=80`));
    }
  }
}

const spdy = { Connection: "Upgrade", Upgrade: "SPDY/3.1", "X-Stream-Protocol-Version": "v4.channel.k8s.io" };
const webSocket = {
  Connection: "Upgrade",
  Upgrade: "websocket",
  "Sec-WebSocket-Version": "13",
  "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
  "Sec-WebSocket-Protocol": "v4.channel.k8s.io",
};

/** Returns a step with a request whose bytes are written here: an HTTP client would see to its headers. */
function upgrade(path, headers = spdy, method = "GET", rest = "") {
  const lines = Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value) => `${name}: ${value}`),
  );
  return {
    via: "raw",
    text: `${method} ${path} HTTP/1.1\r\nHost: front.example\r\nUser-Agent: x\r\n${lines.map((line) => `${line}\r\n`).join("")}\r\n${rest}`,
    view,
  };
}

function* upgrades() {
  const forms = {
    spdy,
    "spdy in lower case": { connection: "upgrade", upgrade: "spdy/3.1" },
    "spdy among others": { ...spdy, Connection: "keep-alive, Upgrade" },
    "spdy of several versions": { ...spdy, "X-Stream-Protocol-Version": ["v5.channel.k8s.io", "v4.channel.k8s.io"] },
    "spdy of no version": { Connection: "Upgrade", Upgrade: "SPDY/3.1" },
    "spdy of an unknown version": { ...spdy, "X-Stream-Protocol-Version": "v9.channel.k8s.io" },
    "spdy and identities": {
      ...spdy,
      "X-Remote-User": "root",
      "Impersonate-Extra-a": "b",
      Authorization: "Basic eDp5",
    },
    webSocket,
    "websocket of no protocol": { ...webSocket, "Sec-WebSocket-Protocol": [] },
    "websocket of v5": { ...webSocket, "Sec-WebSocket-Protocol": "v5.channel.k8s.io" },
    "websocket of base64": { ...webSocket, "Sec-WebSocket-Protocol": "base64.channel.k8s.io, v4.channel.k8s.io" },
    "websocket of an unknown protocol": { ...webSocket, "Sec-WebSocket-Protocol": "chat" },
    "websocket without a key": { ...webSocket, "Sec-WebSocket-Key": [] },
    "websocket of another version": { ...webSocket, "Sec-WebSocket-Version": "8" },
    "another protocol": { Connection: "Upgrade", Upgrade: "h2c" },
    "no connection header": { Upgrade: "SPDY/3.1" },
    "no upgrade header": { Connection: "Upgrade" },
    "two protocols": { Connection: "Upgrade", Upgrade: "websocket, SPDY/3.1" },
  };
  const paths = {
    exec: `${pods}/web/exec?command=ls&stdout=true`,
    attach: `${pods}/web/attach?stdout=true`,
    portforward: `${pods}/web/portforward?ports=80`,
    log: `${pods}/web/log`,
    "pod proxy": `${pods}/web/proxy/x?y=z`,
    "service proxy": `${root}/services/web:web/proxy/x`,
    "node proxy": "/api/v1/nodes/streams-here/proxy/x",
  };
  for (const [to, path] of Object.entries(paths)) {
    for (const [form, headers] of Object.entries(forms)) {
      for (const method of ["GET", "POST"]) {
        yield one(`upgrade ${to} ${method} ${form}`, upgrade(path, headers, method));
      }
    }
    yield one(`upgrade ${to} with bytes after it`, upgrade(path, spdy, "GET", "early bytes"));
  }
  for (const code of [200, 400, 401, 403, 404, 500, 503]) {
    yield one(`upgrade of exec refused with ${code}`, upgrade(`${pods}/web/exec?command=code${code}&stdout=true`));
    yield one(`upgrade of a proxy refused with ${code}`, upgrade(`${pods}/web/proxy/code/${code}`));
  }
}

function* proxiedPaths({ plain, kubelet }) {
  const bases = {
    pod: `${pods}/web/proxy`,
    service: `${root}/services/web:web/proxy`,
    node: `/api/v1/nodes/streams-here:${kubelet}/proxy`,
  };
  const paths = [
    ...[
      "",
      "/",
      "/a",
      "/a/",
      "/a/b",
      "/a//b",
      "//a",
      "/a%2Fb",
      "/a%20b",
      "/a+b",
      "/%C3%A9",
      "/a;b=c",
      "/a:b",
      "/..",
      "/../x",
    ],
    ...[
      "/a/../b",
      "/./a",
      "/a/.",
      "/%2e%2e/x",
      "?a=1",
      "/?a=1&a=2",
      "/a?b=%20c",
      "/a?b=c+d",
      "/a?",
      "/a?%zz",
      "/a?b;c",
      "/a?=x",
    ],
    ...[
      "/a?path=/z",
      "/proxy/x",
      "/a'b\"c".replaceAll('"', "%22"),
      "/a%00b",
      "/~u",
      "/a,b",
      "/@",
      "/a&b=c",
      "/%",
      "/a%3Fb",
    ],
  ];
  for (const [to, base] of Object.entries(bases)) {
    for (const path of paths) {
      yield one(`proxy to a ${to} at ${path}`, get(`${base}${path}`));
    }
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "FROB"]) {
      const hasBody = ["POST", "PUT", "PATCH"].includes(method);
      yield one(
        `proxy to a ${to} by ${method}`,
        send(method, `${base}/m`, hasBody ? "text" : undefined, hasBody ? { "content-type": "text/plain" } : {}),
      );
    }
    for (const [name, headers] of Object.entries(requestHeaders)) {
      yield one(`proxy to a ${to} with ${name}`, get(`${base}/h`, headers));
    }
    yield one(`proxy to a ${to} over HTTP/2`, get(`${base}/a?b=c`, { "x-own": "1" }, { via: "http2" }));
    yield one(`proxy to a ${to} for nobody`, get(`${base}/a`, {}, { as: "none" }));
  }
  yield one("proxy to a pod by its port", get(`${pods}/web:${plain}/proxy/a`));
}

const requestHeaders = {
  "own headers": { "x-own": "1", "X-Two": ["a", "b"] },
  identities: {
    "x-remote-user": "root",
    "x-remote-group": "system:masters",
    "x-remote-extra-a": "b",
    "x-remote-uid": "1",
  },
  credentials: { cookie: "a=b", "proxy-authorization": "Basic eDp5" },
  "forwarded headers": { "x-forwarded-for": "192.0.2.1", "x-forwarded-proto": "gopher", forwarded: "for=192.0.2.1" },
  "headers of a hop": { te: "trailers", "keep-alive": "5", "proxy-connection": "close" },
  "a user agent": { "user-agent": "curl/8", accept: "text/html", "accept-encoding": "br", "accept-language": "de" },
  "a condition": { "if-none-match": '"x"', range: "bytes=0-1", "if-modified-since": "Wed, 01 Jan 2020 00:00:00 GMT" },
  "an expectation": { origin: "https://a.example", referer: "https://a.example/x", via: "1.0 fred" },
};

function* proxiedAnswers() {
  const bases = {
    pod: `${pods}/web/proxy`,
    service: `${root}/services/web:web/proxy`,
    "service over TLS": `${root}/services/https:web:tls/proxy`,
    node: "/api/v1/nodes/streams-here/proxy",
  };
  const targets = [
    ...[
      "/x",
      "x",
      "../x",
      "/",
      "",
      "?q",
      "#f",
      "http://elsewhere.example/x",
      "https://elsewhere.example/x",
      "//other/x",
    ],
    ...[`http://${address}/x`, "/x?y=z#f", "mailto:a@b", "/a%20b", "http://", "%zz"],
  ];
  for (const [to, base] of Object.entries(bases)) {
    for (const code of [
      200, 201, 202, 204, 206, 300, 304, 400, 401, 403, 404, 405, 409, 410, 422, 429, 500, 502, 503, 504,
    ]) {
      yield one(`${to} answers ${code}`, get(`${base}/code/${code}`));
    }
    for (const target of targets) {
      yield one(`${to} moves to ${target}`, get(`${base}/move/302?to=${encodeURIComponent(target)}`));
    }
    for (const code of [201, 301, 303, 307, 308, 400]) {
      yield one(`${to} answers ${code} with a location`, get(`${base}/move/${code}?to=/x`));
    }
    for (const kind of ["page", "page/charset", "zipped", "pieces", "short", "cut", "cookies"]) {
      yield one(`${to} answers ${kind}`, get(`${base}/${kind}`));
      yield one(`${to} answers ${kind} to a compressed request`, get(`${base}/${kind}`, { "accept-encoding": "gzip" }));
    }
    yield one(`${to} answers a page below`, get(`${base}/deep/er/page`));
    for (const type of ["text/plain", "TEXT/HTML", "text/html;x", "application/xhtml+xml", "html"]) {
      yield one(`${to} answers ${type}`, get(`${base}/type/${encodeURIComponent(encodeURIComponent(type))}`));
    }
    yield one(`${to} answers HEAD with a page`, send("HEAD", `${base}/page`));
    yield one(`${to} answers POST with a page`, send("POST", `${base}/page`, "x", { "content-type": "text/plain" }));
  }
}

function* proxiedNames({ plain, secure, kubelet }) {
  const ofPods = [
    ...[
      "web",
      `web:${plain}`,
      `http:web:${plain}`,
      `https:web:${secure}`,
      "web:web",
      "web:",
      ":web:",
      "http:web:",
      "ftp:web:80",
    ],
    ...[
      "web:abc",
      "web:0",
      "web:70000",
      "web:-1",
      `web:${closedPort}`,
      `https:web:${plain}`,
      `web:${secure}`,
      "a:b:c:d",
    ],
    ...[
      "unscheduled",
      "without-ip",
      "loopback",
      "loopback:80",
      "closed",
      "no-pod",
      "many",
      `many:${plain}`,
      "HTTPS:web:1",
      ":",
    ],
  ];
  const ofServices = [
    ...[
      "web",
      "web:web",
      "web:80",
      "web:443",
      "https:web:tls",
      "https:web:443",
      "http:web:tls",
      "web:tls",
      "web:shut",
      "web:nope",
    ],
    ...[
      "web:70000",
      "web:",
      ":web:web",
      ":web:",
      "single",
      "single:80",
      "single:",
      "empty",
      "empty:web",
      "unready:web",
      "outside",
    ],
    ...["outside:web", "no-service", "ftp:web:web", `web:${plain}`, "a:b:c:d", "https:single:", "https:web:web"],
  ];
  const ofNodes = [
    ...["streams-here", `streams-here:${kubelet}`, `https:streams-here:${kubelet}`, `http:streams-here:${plain}`],
    ...[
      `streams-here:${plain}`,
      "streams-here:",
      "streams-here:abc",
      "streams-here:0",
      "streams-closed",
      "streams-loopback",
    ],
    ...[
      "streams-nowhere",
      "streams-portless",
      "no-node",
      "https:streams-here:",
      ":streams-here:",
      "ftp:streams-here:1",
    ],
  ];
  for (const [base, names] of [
    [pods, ofPods],
    [`${root}/services`, ofServices],
    ["/api/v1/nodes", ofNodes],
  ]) {
    for (const name of names) {
      yield one(`proxy to ${base}/${name}`, get(`${base}/${name}/proxy/p?q=r`));
      yield one(`proxy to ${base}/${name} without a path`, get(`${base}/${name}/proxy`));
      yield one(`upgrade of ${base}/${name}`, upgrade(`${base}/${name}/proxy/p`));
    }
  }
}
