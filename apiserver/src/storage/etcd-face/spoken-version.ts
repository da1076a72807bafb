/** The release of etcd whose API is spoken; clients switch features by it. */
export const spokenVersion = "3.5.16";
/** The version that all members of a cluster of such a release agree on. */
export const clusterVersion = "3.5.0";
