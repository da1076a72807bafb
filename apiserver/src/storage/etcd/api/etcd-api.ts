import { type CodecOverrides, compileProto } from "@gatehouse/component-base/grpc";
import { type AuthService, authProto } from "./auth.js";
import { type ClusterService, clusterProto } from "./cluster.js";
import { type KvService, kvProto } from "./kv.js";
import { type LeaseService, leaseProto } from "./lease.js";
import { type MaintenanceService, maintenanceProto } from "./maintenance.js";
import { type WatchService, watchProto } from "./watch.js";

/** The services of the etcd v3 API that are used or served here, as service definitions for grpc-js. */
export interface EtcdApi {
  readonly kv: KvService;
  readonly watch: WatchService;
  readonly lease: LeaseService;
  readonly cluster: ClusterService;
  readonly maintenance: MaintenanceService;
  readonly auth: AuthService;
}

/** Hand-made codecs of messages that are read or written with every request. */
const hotCodecs: CodecOverrides = {};

const header = 'syntax = "proto3"; package etcdserverpb;';

let loaded: Promise<EtcdApi> | undefined;

/** Returns the services, which are compiled once in a process. */
export function loadEtcdApi(): Promise<EtcdApi> {
  loaded ??= compile();
  return loaded;
}

async function compile(): Promise<EtcdApi> {
  const protos = [header, kvProto, watchProto, leaseProto, clusterProto, maintenanceProto, authProto];
  const proto = await compileProto(protos.join("\n"), hotCodecs);
  return {
    kv: proto.service<KvService>("etcdserverpb.KV"),
    watch: proto.service<WatchService>("etcdserverpb.Watch"),
    lease: proto.service<LeaseService>("etcdserverpb.Lease"),
    cluster: proto.service<ClusterService>("etcdserverpb.Cluster"),
    maintenance: proto.service<MaintenanceService>("etcdserverpb.Maintenance"),
    auth: proto.service<AuthService>("etcdserverpb.Auth"),
  };
}
