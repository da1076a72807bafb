import { createHttpClient, type HttpResponse } from "@gatehouse/component-base/http-client";

/**
 * Visits an address as a person does who agrees to everything: follows redirects with cookies, and sends forms as they are.
 * Resolves to the last answer.
 */
export async function visit(address: string, certificateAuthorityPem: string): Promise<HttpResponse> {
  const cookies = new Map<string, string>();
  let next: Visit | undefined = { url: new URL(address) };
  for (let pages = 0; pages < 30; pages++) {
    const { url, form }: Visit = next;
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
      timeoutMs: 10_000,
    });
    for (const cookie of [answer.headers["set-cookie"] ?? []].flat()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    next = visitAfter(answer, url);
    if (next === undefined) {
      return answer;
    }
  }
  throw new Error("there is no end to these pages");
}

interface Visit {
  readonly url: URL;
  readonly form?: URLSearchParams;
}

function visitAfter({ status, headers, body }: HttpResponse, url: URL): Visit | undefined {
  if (status >= 300 && status < 400) {
    return { url: new URL(String(headers["location"]), url) };
  }
  const [, action, inputs = ""] =
    /<form[^>]* action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/.exec(body.toString("utf8")) ?? [];
  if (action === undefined) {
    return undefined;
  }
  const form = new URLSearchParams();
  for (const [, name = "", value = ""] of inputs.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)) {
    form.append(name, value);
  }
  return { url: new URL(action, url), form };
}
