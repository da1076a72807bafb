// Stands in for a browser and the person before it: logs in at the identity provider of a stack, and agrees to everything.
// Usage: node log-in-as.js DATA-DIR USER ADDRESS
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createHttpClient, type HttpResponse } from "@gatehouse/component-base/http-client";
import { parseYaml } from "@gatehouse/envelopes/codec";

const [dataDir = "", user = "", address = ""] = process.argv.slice(2);
const certificateAuthorityPem = readFileSync(join(dataDir, "pki", "ca.crt"), "utf8");
const cookies = new Map<string, string>();

async function passwordOf(name: string): Promise<string> {
  const { value } = await parseYaml(readFileSync(join(dataDir, "identity-provider-users.yaml"), "utf8"));
  const { users }: { users: { name: string; password: string }[] } = Object.assign({ users: [] }, value);
  return users.find((each) => each.name === name)?.password ?? "";
}

async function open(url: URL, form: URLSearchParams | undefined): Promise<HttpResponse> {
  using client = createHttpClient({
    config: { server: new URL(url.origin), insecureSkipTlsVerify: false, certificateAuthorityPem },
  });
  const answer = await client.request({
    method: form === undefined ? "GET" : "POST",
    path: `${url.pathname}${url.search}`,
    headers: {
      cookie: [...cookies].map((pair) => pair.join("=")).join("; "),
      ...(form === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" }),
    },
    ...(form === undefined ? {} : { body: String(form) }),
    signal: new AbortController().signal,
    timeoutMs: 20_000,
  });
  for (const cookie of [answer.headers["set-cookie"] ?? []].flat()) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    cookies.set(name, value);
  }
  return answer;
}

let url = new URL(address);
let answer = await open(url, undefined);
for (let pages = 0; pages < 20; pages++) {
  if (answer.status >= 300 && answer.status < 400) {
    url = new URL(String(answer.headers["location"]), url);
    answer = await open(url, undefined);
  } else if (answer.body.includes('name="password"')) {
    answer = await open(url, new URLSearchParams({ name: user, password: await passwordOf(user) }));
  } else {
    break;
  }
}
