// Preloaded into the servers and into a release on trial (`node --import`). Stops the process when its supervisor has died for any reason.
// The kernel closes the IPC channel even after `kill -9`.

/** Time for a graceful stop before the process exits anyway, milliseconds. */
const gracefulStopMs = 5_000;

process.once('disconnect', () => {
  setTimeout(() => process.exit(1), gracefulStopMs).unref();
  process.kill(process.pid, 'SIGTERM');
});
// The channel to the supervisor must not keep the process alive.
process.channel?.unref();
