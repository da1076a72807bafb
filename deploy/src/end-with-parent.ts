// Loaded before the script of each supervised process (`node --import`). The supervisor holds the other end of a channel;
// when it is gone, however it went, the process must not live on alone and keep the port and the store.
process.channel?.unref();
process.once("disconnect", () => {
  process.kill(process.pid, "SIGTERM");
});
