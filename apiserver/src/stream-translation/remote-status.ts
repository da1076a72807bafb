import { isJsonObject, type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";
import { internalError } from "@gatehouse/envelopes/status";

/** A Status of the API, as it is sent on an error channel. */
export type RemoteStatus = Readonly<Record<string, unknown>>;

const success: RemoteStatus = { metadata: {}, status: "Success" };

/** Returns the status of a failure on the way to the backend. */
export function failure(message: string): RemoteStatus {
  const { kind: _kind, apiVersion: _apiVersion, ...status } = internalError(message).status;
  return { ...status };
}

/**
 * Returns the status for the client from the content of a backend's error stream, as v1.29 makes it. Before version 4 of
 * the protocol the content is the text of an error, and nothing for success.
 */
export function remoteStatus(content: string, protocol: string): RemoteStatus {
  if (!protocol.startsWith("v4.")) {
    return content === "" ? success : failure(`error executing remote command: ${content}`);
  }
  if (content === "") {
    // v1.29 takes that for success, though a backend that has come to the end says so.
    return failure("the backend has ended the connection without a status");
  }
  const status = parse(content);
  if (status === undefined) {
    return failure(`error stream protocol error: ${JSON.stringify(content)} is no status`);
  }
  switch (textAt(status, "status")) {
    case "Success":
      return success;
    case "Failure":
      return textAt(status, "reason") === "NonZeroExitCode" ? exitStatus(status) : failure(textAt(status, "message"));
    default:
      return failure("error stream protocol error: unknown error");
  }
}

function exitStatus(status: JsonObject): RemoteStatus {
  const causes = listAt(status, "details", "causes").filter(isJsonObject);
  const code = causes.find((cause) => textAt(cause, "reason") === "ExitCode")?.["message"];
  if (typeof code !== "string" || !/^\d+$/.test(code) || Number(code) > 255) {
    return failure("error stream protocol error: no ExitCode cause given");
  }
  return {
    metadata: {},
    status: "Failure",
    message: `command terminated with non-zero exit code: command terminated with exit code ${code}`,
    reason: "NonZeroExitCode",
    details: { causes: [{ reason: "ExitCode", message: code }] },
  };
}

function parse(content: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(content);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
