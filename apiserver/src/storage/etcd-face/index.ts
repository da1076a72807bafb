export { type ListenUrl, parseListenUrl } from "./etcd-face-options.js";
export { type EtcdFace, type EtcdFaceOptions, type EtcdFaceTls, startEtcdFace } from "./start-etcd-face.js";
