// Simulates other work on the machine: a loop that uses the given share of one processor. The loop ends when its parent process ends.
//   node bench/load/busy.ts 0.3

/** Period in which work and rest alternate, milliseconds. */
const periodMs = 10;
const parent = process.ppid;
const share = Number(process.argv[2]);
if (!(share > 0 && share <= 1)) throw new Error('the CPU share must be above 0 and at most 1');

function turn(): void {
  const until = performance.now() + share * periodMs;
  while (performance.now() < until);
  if (process.ppid === parent) setTimeout(turn, (1 - share) * periodMs);
}

turn();
