// A program of the control chain, which passes bytes on like a stream, but without the product. Its delays are the
// delays of the machine. `node bare-loop.ts source <ms>` sends a byte per frame. `node bare-loop.ts relay` forwards
// received bytes. Both compute between two bytes.

/** Interval between two bytes, milliseconds. */
const frameMs = Number(process.argv[3]);
/** Computation per byte, milliseconds. The program waits for a processor like a server. */
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
