// Request lines that no HTTP client would send, by the one who may do everything.

const targets = [
  ...[
    "http://a.b/version",
    "https://a.b:1/version?x=y",

    "/version?",
    "/version??",
    "/version?a=b#c",
    "/version#c",
  ],
  ...[
    "/ver%73ion",
    "/%76ersion",
    "/version;x",
    "/version;x=%2F",
    '/"a"',
    "/<a>",
    "/a|b",
    "/a^b`{c}",
    "/\u00e9",
    "/%c3%a9",
    "/a\\b",
    "/%5c",
  ],
  ...[
    '/version?a="b"',
    "/version?a=<b>",

    "/version?a=b&&c;d",
    "/version?a=%zz",
    "/a%2fb",
    "/a%2Fb",
    "/a%252Fb",
    "//a//b",
    "/a/../version",
  ],
  ...[
    "/a/./b",
    "/.",
    "/..",
    "/a%20b",
    "/a+b",

    "/a%00",
    "/[a]",
    "/a!$&'()*+,;=:@~",
    "/-._~",
    "/a%7Eb",
    "*",
    "version",
    "/a'b",
  ],
  ...[
    "/api/v1/namespaces/audit-events/configmaps/a%22b",
    '/api/v1/namespaces/audit-events/configmaps/a"b',
    "/api/v1/namespaces/%61udit-events/configmaps",
  ],
  ...['/api/v1/namespaces/audit-events/pods/fixed/proxy/a"b?c="d', "/api/v1/namespaces/a%2Fb/configmaps/c%2Fd"],
];

/** Returns a step with a request line of its own. `id` is the audit ID. */
export function rawRequest(r, id) {
  const target = r.pick(targets);
  const method = r.chance(0.75) ? "GET" : r.pick(["OPTIONS", "HEAD", "get", "FOO", "DELETE", "POST"]);
  const fields = [
    ...["Host: a.b", "Authorization: Bearer admin-token", `Audit-ID: ${id}`, "Connection: close"],
    ...(r.chance(0.2) ? [`User-Agent: ${r.pick(["a", "", " b ", "c\td"])}`] : []),
    ...(r.chance(0.2) ? ["X-Forwarded-For: 1.1.1.1", "X-Forwarded-For: 2.2.2.2"] : []),
  ];
  return { via: "raw", method, path: target, text: [`${method} ${target} HTTP/1.1`, ...fields, "", ""].join("\r\n") };
}
