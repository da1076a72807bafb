/** Reasons that several metrics share. */
const flowControl = "comes with priority and fairness";
const aggregation = "comes with the aggregation of API servers";
const delegation = "v1.29 shows it in aggregated API servers alone, which delegate to kube-apiserver";
const egress = "comes with --egress-selector-config-file";

/**
 * The metrics of v1.29's API server that this server does not have, each with the reason. Every other one of
 * `known-metrics.json` is registered; a test and `docs/reference/metrics.md` hold the two together.
 */
export const absentMetrics: Readonly<Record<string, string>> = {
  apiserver_flowcontrol_current_executing_requests: flowControl,
  apiserver_flowcontrol_current_executing_seats: flowControl,
  apiserver_flowcontrol_current_inqueue_requests: flowControl,
  apiserver_flowcontrol_current_inqueue_seats: flowControl,
  apiserver_flowcontrol_current_limit_seats: flowControl,
  apiserver_flowcontrol_current_r: flowControl,
  apiserver_flowcontrol_demand_seats: flowControl,
  apiserver_flowcontrol_demand_seats_average: flowControl,
  apiserver_flowcontrol_demand_seats_high_watermark: flowControl,
  apiserver_flowcontrol_demand_seats_smoothed: flowControl,
  apiserver_flowcontrol_demand_seats_stdev: flowControl,
  apiserver_flowcontrol_dispatch_r: flowControl,
  apiserver_flowcontrol_dispatched_requests_total: flowControl,
  apiserver_flowcontrol_epoch_advance_total: flowControl,
  apiserver_flowcontrol_latest_s: flowControl,
  apiserver_flowcontrol_lower_limit_seats: flowControl,
  apiserver_flowcontrol_next_discounted_s_bounds: flowControl,
  apiserver_flowcontrol_next_s_bounds: flowControl,
  apiserver_flowcontrol_nominal_limit_seats: flowControl,
  apiserver_flowcontrol_priority_level_request_utilization: flowControl,
  apiserver_flowcontrol_priority_level_seat_utilization: flowControl,
  apiserver_flowcontrol_read_vs_write_current_requests: flowControl,
  apiserver_flowcontrol_rejected_requests_total: flowControl,
  apiserver_flowcontrol_request_concurrency_in_use: flowControl,
  apiserver_flowcontrol_request_concurrency_limit: flowControl,
  apiserver_flowcontrol_request_dispatch_no_accommodation_total: flowControl,
  apiserver_flowcontrol_request_execution_seconds: flowControl,
  apiserver_flowcontrol_request_queue_length_after_enqueue: flowControl,
  apiserver_flowcontrol_request_wait_duration_seconds: flowControl,
  apiserver_flowcontrol_seat_fair_frac: flowControl,
  apiserver_flowcontrol_target_seats: flowControl,
  apiserver_flowcontrol_upper_limit_seats: flowControl,
  apiserver_flowcontrol_watch_count_samples: flowControl,
  apiserver_flowcontrol_work_estimated_seats: flowControl,
  apiserver_current_inqueue_requests: flowControl,
  aggregator_discovery_aggregation_count_total: aggregation,
  aggregator_openapi_v2_regeneration_count: aggregation,
  aggregator_openapi_v2_regeneration_duration: aggregation,
  aggregator_unavailable_apiservice: aggregation,
  aggregator_unavailable_apiservice_total: aggregation,
  apiserver_kube_aggregator_x509_insecure_sha1_total: aggregation,
  apiserver_kube_aggregator_x509_missing_san_total: aggregation,
  apiserver_delegated_authn_request_duration_seconds: delegation,
  apiserver_delegated_authn_request_total: delegation,
  apiserver_delegated_authz_request_duration_seconds: delegation,
  apiserver_delegated_authz_request_total: delegation,
  apiserver_egress_dialer_dial_duration_seconds: egress,
  apiserver_egress_dialer_dial_failure_count: egress,
  apiserver_egress_dialer_dial_start_total: egress,
  apiserver_request_timestamp_comparison_time:
    "the time of an entry in managedFields changes only with the entry, so that no objects are compared for it",
  apiserver_rerouted_request_total:
    "requests are never passed on to other servers of the cluster (the alpha gate UnknownVersionInteroperabilityProxy)",
  etcd_bookmark_counts: "one watch of etcd carries all resources, so that its progress belongs to none of them",
  rest_client_rate_limiter_duration_seconds: "no client of this server is limited in its rate",
  running_managed_controllers: "v1.29 shows it in controller managers alone",
  watch_cache_capacity_decrease_total: "the room for events of a resource grows up to a limit and never shrinks",
};
