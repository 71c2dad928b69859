// One program of the control chain: what a server does for a stream on this machine, without a server. `node bare-loop.ts source <ms>` sends a
// byte for each frame, `node bare-loop.ts relay` passes on what comes, both after a bit of work.

/** Between two bytes, milliseconds. */
const frameMs = Number(process.argv[3]);
/** Work for each byte, milliseconds, so that the program waits for a processor as one that serves does. */
const workMs = 1;

function send(): void {
  const endMs = performance.now() + workMs;
  while (performance.now() < endMs);
  process.stdout.write('.');
}

process.stdout.on('error', () => process.exit(0));
if (process.argv[2] === 'source') {
  let nextMs = performance.now();
  const tick = (): void => {
    send();
    nextMs += frameMs;
    setTimeout(tick, Math.max(0, nextMs - performance.now()));
  };
  tick();
} else process.stdin.on('data', send).on('end', () => process.exit(0));
