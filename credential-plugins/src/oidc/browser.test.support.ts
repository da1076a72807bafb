import { createHttpClient, type HttpResponse } from "@gatehouse/component-base";

/** Visits an address as a browser does, following redirects with cookies; resolves to the last answer. */
export async function visit(address: string, certificateAuthorityPem: string): Promise<HttpResponse> {
  const cookies = new Map<string, string>();
  let url = new URL(address);
  for (let hops = 0; hops < 20; hops++) {
    using client = createHttpClient({
      config: { server: new URL(url.origin), insecureSkipTlsVerify: false, certificateAuthorityPem },
    });
    const answer = await client.request({
      path: `${url.pathname}${url.search}`,
      headers: { cookie: [...cookies].map((pair) => pair.join("=")).join("; ") },
      signal: new AbortController().signal,
      timeoutMs: 10_000,
    });
    for (const cookie of [answer.headers["set-cookie"] ?? []].flat()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const location = answer.headers["location"];
    if (answer.status < 300 || answer.status >= 400 || location === undefined) {
      return answer;
    }
    url = new URL(String(location), url);
  }
  throw new Error("too many redirects");
}
