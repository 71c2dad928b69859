// A program of the control chain: a pipeline of a source and relays that does not contain the product. Delays in the chain
// come from the machine. `node bare-loop.ts source <ms>` sends a byte every <ms> milliseconds. `node bare-loop.ts relay`
// forwards received bytes. Source and relay compute for a millisecond before each byte.

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
