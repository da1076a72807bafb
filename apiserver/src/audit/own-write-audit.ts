import { randomUUID } from "node:crypto";
import { encodeJson } from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { internalError } from "@gatehouse/envelopes/status";
import type { OwnWrite, OwnWriteTrail, RecordOwnWrite } from "../request/audit-trail.js";
import { resolveRequestInfo } from "../request/request-info.js";
import type { UserInfo } from "../request/user-info.js";
import type { AuditSubject } from "./audit-event.js";
import { AuditNotes } from "./audit-notes.js";
import type { AuditRecorder } from "./audit-recorder.js";

const methods = { create: "POST", delete: "DELETE", patch: "PATCH", update: "PUT" } as const;

/** The source address of v1.29's own clients, which connect through the loopback interface. */
const sourceIPs: readonly string[] = ["::1"];

const noQuery = new URLSearchParams();

/**
 * Records writes of the server's own controllers as if each were a service account that sends requests: they go through
 * the verbs, not through HTTP, but no object changes without an event.
 */
export function recordOwnWrites(recorder: AuditRecorder): RecordOwnWrite {
  return (write) => {
    const path = pathOf(write);
    const info = resolveRequestInfo(methods[write.verb], path, noQuery);
    const user = userOf(write.controller);
    const verdict = recorder.decide(user, info);
    if (verdict.level === "None") {
      return undefined;
    }
    const { agent } = write;
    const userAgent = write.controller === "" ? agent : `${agent}/${write.controller}`;
    const receivedMicros = recorder.clock.at();
    const subject = {
      auditID: randomUUID(),
      requestURI: path,
      verb: info.verb,
      user,
      sourceIPs,
      userAgent,
      receivedMicros,
    };
    const audit = new OwnWriteAudit(recorder, subject, info);
    audit.decide(verdict);
    return audit;
  };
}

/** Returns the user in events of a controller's writes, as v1.29's own clients have it. */
function userOf(controller: string): UserInfo {
  if (controller === "") {
    return { username: "system:apiserver", groups: ["system:masters", "system:authenticated"] };
  }
  return {
    username: `system:serviceaccount:kube-system:${controller}`,
    groups: ["system:serviceaccounts", "system:serviceaccounts:kube-system", "system:authenticated"],
  };
}

/** Returns the path to which a client would send the same write. */
function pathOf({ group, version, namespace, resource, name, subresource }: OwnWrite): string {
  const base = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  const inNamespace = namespace === "" ? "" : `/namespaces/${namespace}`;
  const rest = [name, subresource].filter((part) => part !== "").map((part) => `/${part}`);
  return `${base}${inNamespace}/${resource}${rest.join("")}`;
}

class OwnWriteAudit extends AuditNotes implements OwnWriteTrail {
  readonly #recorder: AuditRecorder;
  readonly #subject: AuditSubject;
  #hasBegun = false;

  constructor(recorder: AuditRecorder, subject: AuditSubject, info: ReturnType<typeof resolveRequestInfo>) {
    super(info);
    this.#recorder = recorder;
    this.#subject = subject;
  }

  async begin(object: JsonObject | undefined): Promise<void> {
    if (!this.#hasBegun) {
      this.#recorder.checkRecordable();
      this.#hasBegun = true;
      const { receivedMicros } = this.#subject;
      if (!(await this.#recorder.record(this.event("RequestReceived", this.#subject, receivedMicros, 0)))) {
        this.#hasBegun = false;
        this.#recorder.checkRecordable();
        this.#recorder.requestRejected();
        throw internalError("failed to store audit event");
      }
    }
    if (object !== undefined) {
      this.identify(object);
      if (this.recordsRequest) {
        this.requestBody(Buffer.from(encodeJson(object)));
      }
    }
  }

  async end(code: number, answer: JsonObject | undefined): Promise<void> {
    if (!this.#hasBegun) {
      return;
    }
    if (answer !== undefined && this.recordsResponse) {
      this.responseBody(Buffer.from(encodeJson(answer)));
    }
    await this.#recorder.record(this.event("ResponseComplete", this.#subject, this.#recorder.clock.at(), code));
  }
}
