import { HttpClientError } from "@gatehouse/component-base/errors";
import { createHttpClient, goCallError } from "@gatehouse/component-base/http-client";

/** The answer of a component about its health, or the reason for none. */
export interface ComponentHealth {
  readonly isHealthy: boolean;
  readonly message: string;
}

const timeoutMs = 20_000;

/** Requests the health path of a component of this machine. As in v1.29, its certificate is not verified. */
export async function askHealth(url: string, signal: AbortSignal): Promise<ComponentHealth> {
  const { origin, pathname: path } = new URL(url);
  using client = createHttpClient({
    config: { server: new URL(origin), insecureSkipTlsVerify: true },
    userAgent: "kube-probe/1.29",
  });
  try {
    const { status, body } = await client.request({ method: "GET", path, signal, timeoutMs });
    return status >= 200 && status < 400
      ? { isHealthy: true, message: body.toString() }
      : { isHealthy: false, message: `HTTP probe failed with statuscode: ${status}` };
  } catch (error) {
    if (error instanceof HttpClientError) {
      return { isHealthy: false, message: goCallError("GET", url, error) };
    }
    throw error;
  }
}
