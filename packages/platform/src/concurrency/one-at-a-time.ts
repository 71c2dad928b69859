// Runs asynchronous read-then-write steps one after the other, so that two callers cannot both pass the same check.

export type OneAtATime = <T>(step: () => Promise<T>) => Promise<T>;

export function createOneAtATime(): OneAtATime {
  let last: Promise<unknown> = Promise.resolve();
  return (step) => {
    const run = last.then(step, step);
    last = run.catch(() => undefined);
    return run;
  };
}
