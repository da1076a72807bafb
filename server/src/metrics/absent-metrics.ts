/** Reasons that several metrics share. */
const delegation = "API servers behind another one show it, as in v1.29 (`@gatehouse/apiserver/extension`)";

/**
 * The metrics of v1.29's API server that the control plane does not have, each with the reason. Every other one of
 * `known-metrics.json` is registered; a test and `docs/reference/metrics.md` hold the two together.
 */
export const absentMetrics: Readonly<Record<string, string>> = {
  apiserver_delegated_authn_request_duration_seconds: delegation,
  apiserver_delegated_authn_request_total: delegation,
  apiserver_delegated_authz_request_duration_seconds: delegation,
  apiserver_delegated_authz_request_total: delegation,
  apiserver_request_timestamp_comparison_time:
    "the time of an entry in managedFields changes only with the entry, so that no objects are compared for it",
  etcd_bookmark_counts: "one watch of etcd carries all resources, so that its progress belongs to none of them",
  rest_client_rate_limiter_duration_seconds: "no client of this server is limited in its rate",
  running_managed_controllers: "v1.29 shows it in controller managers alone",
  watch_cache_capacity_decrease_total: "the room for events of a resource grows up to a limit and never shrinks",
};
