/** The annotation that says that 0 shares are meant, which v1beta3 cannot say otherwise. */
export const preserveZeroSharesAnnotation = "flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares";
