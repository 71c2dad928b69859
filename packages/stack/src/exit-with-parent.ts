// Preloaded into both servers (`node --import`): when the supervisor is gone, however it died, the server stops too.
// The signal is the closing of the IPC channel, which the kernel does even after `kill -9`.

/** A server that does not finish its graceful stop within this time is ended, milliseconds. */
const gracefulStopMs = 5_000;

process.once('disconnect', () => {
  setTimeout(() => process.exit(1), gracefulStopMs).unref();
  process.kill(process.pid, 'SIGTERM');
});
// The channel alone must not keep a server alive that has nothing left to do.
process.channel?.unref();
