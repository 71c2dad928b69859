// Preloaded into both servers (`node --import`): stops the server when the supervisor has died for any reason.
// The kernel closes the IPC channel even after `kill -9`.

/** Time for a graceful stop before the server is killed, milliseconds. */
const gracefulStopMs = 5_000;

process.once('disconnect', () => {
  setTimeout(() => process.exit(1), gracefulStopMs).unref();
  process.kill(process.pid, 'SIGTERM');
});
// The channel alone must not keep a server alive that has no other work.
process.channel?.unref();
