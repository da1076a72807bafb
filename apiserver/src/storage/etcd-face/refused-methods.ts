import { type GrpcRoute, GrpcStatusError, grpcCode } from "@gatehouse/component-base/grpc-server";

/** The methods of etcd 3.5 that are not offered, by service, and what they are for. */
const refused: readonly (readonly [service: string, what: string, methods: readonly string[]])[] = [
  ["etcdserverpb.Cluster", "changes of members", ["MemberAdd", "MemberRemove", "MemberUpdate", "MemberPromote"]],
  ["etcdserverpb.Maintenance", "downgrades", ["Downgrade"]],
  [
    "etcdserverpb.Auth",
    "users and roles",
    [
      ...["AuthEnable", "AuthDisable", "UserAdd", "UserGet", "UserList", "UserDelete", "UserChangePassword"],
      ...["UserGrantRole", "UserRevokeRole", "RoleAdd", "RoleGet", "RoleList", "RoleDelete"],
      ...["RoleGrantPermission", "RoleRevokePermission"],
    ],
  ],
  ["v3lockpb.Lock", "the Lock service", ["Lock", "Unlock"]],
  ["v3electionpb.Election", "the Election service", ["Campaign", "Proclaim", "Leader", "Observe", "Resign"]],
];

/** Makes routes that refuse the methods of etcd that are not offered, and name what is missing. */
export function refusedRoutes(): GrpcRoute[] {
  return refused.flatMap(([service, what, methods]) =>
    methods.map((method) => ({
      path: `/${service}/${method}`,
      isStream: false,
      answer() {
        throw notOffered(`${what} (${method})`);
      },
    })),
  );
}

/** Makes the refusal of what etcd has and the embedded store has not. */
export function notOffered(what: string): GrpcStatusError {
  return new GrpcStatusError(grpcCode.unimplemented, `gatehouse: the embedded store does not offer ${what}`);
}
