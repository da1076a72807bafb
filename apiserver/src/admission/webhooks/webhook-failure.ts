import { type Status, StatusError } from "@gatehouse/envelopes/status";

/** A failed call or an unreadable answer, to which `failurePolicy` applies. */
export class WebhookFailedError extends Error {
  override readonly name = "WebhookFailedError";
  /** The HTTP status for metrics: the one of the webhook's server, or the one that v1.29 counts instead. */
  readonly code: number;
  /** True if the request ended before the answer came, so that the failure is not the webhook's. */
  readonly wasAborted: boolean;

  constructor(
    webhook: string,
    reason: string,
    code: number,
    options: ErrorOptions & { readonly wasAborted?: boolean } = {},
  ) {
    super(`failed calling webhook ${JSON.stringify(webhook)}: ${reason}`, options);
    this.code = code;
    this.wasAborted = options.wasAborted ?? false;
  }
}

/** The denial of a write by a webhook. */
export class WebhookDenialError extends StatusError {
  override readonly status: Status;

  /** Takes the Status, with `metadata` and `status` of the one that the webhook sent. */
  constructor(
    code: number,
    reason: string,
    message: string,
    sent: Partial<Pick<Status, "details" | "metadata">> & { readonly status: string },
  ) {
    super(code, reason, message, sent.details);
    this.status = {
      kind: "Status",
      apiVersion: "v1",
      metadata: sent.metadata ?? {},
      // Any word that the webhook sent.
      status: sent.status as Status["status"],
      message,
      ...(reason === "" ? {} : { reason }),
      ...(sent.details === undefined ? {} : { details: sent.details }),
      code,
    };
  }
}
