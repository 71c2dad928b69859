// Preloaded into both servers (`node --import`). Stops the server when the supervisor has died for any reason. The kernel closes the IPC
// channel even after `kill -9`.

/** Time for a graceful stop before the server is killed, milliseconds. */
const gracefulStopMs = 5_000;

process.once('disconnect', () => {
  setTimeout(() => process.exit(1), gracefulStopMs).unref();
  process.kill(process.pid, 'SIGTERM');
});
// The channel to the supervisor must not keep a server alive.
process.channel?.unref();
