// A server for the supervisor's tests: prints its pid once it can be stopped, then behaves as its environment defines.
process.on('SIGTERM', () => {
  console.log(JSON.stringify({ stopped: process.pid }));
  if (process.env.IGNORE_SIGTERM !== 'yes') process.exit(0);
});
if (process.env.READY === 'yes') process.send({ type: 'ready' });
console.log(JSON.stringify({ pid: process.pid, run: process.env.RUN ?? '' }));
if (process.env.EXIT_CODE) process.exit(Number(process.env.EXIT_CODE));
setInterval(() => undefined, 60_000);
