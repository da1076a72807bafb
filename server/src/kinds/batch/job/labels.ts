/** The label of pods with the uid of their job. */
export const controllerUidLabel = "batch.kubernetes.io/controller-uid";
/** The label of pods with the name of their job, for people and selectors; a later job may have the same name. */
export const jobNameLabel = "batch.kubernetes.io/job-name";
/** The name of `controllerUidLabel` before 1.27; pods still carry both. */
export const legacyControllerUidLabel = "controller-uid";
/** The name of `jobNameLabel` before 1.27; pods still carry both. */
export const legacyJobNameLabel = "job-name";
