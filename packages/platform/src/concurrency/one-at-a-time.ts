// Runs asynchronous read-then-write steps one after the other. Two callers then cannot both pass one check.

export type OneAtATime = <T>(step: () => Promise<T>) => Promise<T>;

export function createOneAtATime(): OneAtATime {
  let last: Promise<unknown> = Promise.resolve();
  return (step) => {
    const run = last.then(step, step);
    last = run.catch(() => undefined);
    return run;
  };
}
