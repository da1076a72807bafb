/** v1beta3 has no way to say that 0 shares are meant; this annotation says so. */
export const preserveZeroSharesAnnotation = "flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares";
