/** Pods carry the uid and the name of their job. */
export const controllerUidLabel = "batch.kubernetes.io/controller-uid";
/** The name of the job, for people and selectors; a later job may have the same. */
export const jobNameLabel = "batch.kubernetes.io/job-name";
/** The same labels as they were called before 1.27; pods still carry both. */
export const legacyControllerUidLabel = "controller-uid";
/** `jobNameLabel` as it was called before 1.27. */
export const legacyJobNameLabel = "job-name";
