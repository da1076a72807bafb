// For scripts that record the answers of kube-apiserver v1.29, which tests replay.
import { readFileSync } from "node:fs";
import { request } from "node:https";

/**
 * Returns a function that sends requests to the server of a kubeconfig, as ../shared/oracle/start.sh writes it: with a
 * client certificate in files. It takes the method, the path, an object as the body, and its media type, and resolves to the
 * status code, the headers, the text, and the parsed body if it is JSON.
 */
export function openServer(kubeconfigFile) {
  const config = readFileSync(kubeconfigFile, "utf8");
  const found = (pattern) => pattern.exec(config)[1];
  const server = new URL(found(/server: "([^"]+)"/));
  const tls = {
    ca: readFileSync(found(/certificate-authority: ([^}\s,]+)/)),
    cert: readFileSync(found(/client-certificate: ([^}\s,]+)/)),
    key: readFileSync(found(/client-key: ([^}\s,]+)/)),
  };
  return (method, path, body, type = "application/json") =>
    new Promise((resolve, reject) => {
      const headers = { "Content-Type": type };
      const sent = request(new URL(path, server), { method, ...tls, headers }, (response) => {
        const chunks = [];
        response.on("data", (chunk) => chunks.push(chunk));
        response.on("end", () => {
          const text = Buffer.concat(chunks).toString();
          const isJson = response.headers["content-type"]?.includes("json") === true;
          const parsed = isJson ? JSON.parse(text) : undefined;
          resolve({ code: response.statusCode, headers: response.headers, text, body: parsed });
        });
      });
      sent.on("error", reject);
      sent.end(body && JSON.stringify(body));
    });
}
