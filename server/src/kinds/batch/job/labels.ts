/** Pods carry the uid and the name of their job. */
export const controllerUidLabel = "batch.kubernetes.io/controller-uid";
export const jobNameLabel = "batch.kubernetes.io/job-name";
/** The same labels as they were called before 1.27; pods still carry both. */
export const legacyControllerUidLabel = "controller-uid";
export const legacyJobNameLabel = "job-name";
