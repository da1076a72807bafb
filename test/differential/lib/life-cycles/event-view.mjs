// The events of a namespace without what differs between two runs of one server.

/** The events of a list, as texts in their order. */
export function eventView({ body }) {
  return JSON.parse(body.toString())
    .items.map(
      ({
        involvedObject: { uid: _u, resourceVersion: _v, ...object },
        reason,
        message,
        type,
        source,
        reportingComponent,
      }) => {
        const text = message.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "UID");
        return JSON.stringify({ object, reason, text, type, source, reportingComponent });
      },
    )
    .toSorted();
}
