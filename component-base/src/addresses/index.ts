export { isUnspecified, listenHost } from "./listen-host.js";
export { peerAddress } from "./peer-address.js";
