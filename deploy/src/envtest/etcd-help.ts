/** The help text of the etcd of the pair; envtest looks for `--unsafe-no-fsync` in it. */
export const etcdHelp = `Usage: etcd [flags]

The etcd of test harnesses: the embedded store of Gatehouse, served by the API of etcd v3 over plain http on loopback.

  --data-dir 'default.etcd'
    Path of the data directory.
  --listen-client-urls 'http://localhost:2379'
    Addresses to serve clients on.
  --unsafe-no-fsync 'false'
    Flush no write to disk. For tests, whose data is thrown away.
  --max-request-bytes '1572864'
    Most bytes of keys and values that a request may write.
  --max-txn-ops '128'
    Most operations of a transaction.
  --experimental-watch-progress-notify-interval '10m0s'
    How often watches that ask for it hear how far they have come.

Other flags of etcd are accepted, and have no effect.
`;
