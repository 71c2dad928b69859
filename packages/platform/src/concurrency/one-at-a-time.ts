// Runs asynchronous read-then-write steps one after the other. Otherwise, two callers could both pass a check before either of them writes.

export type OneAtATime = <T>(step: () => Promise<T>) => Promise<T>;

export function createOneAtATime(): OneAtATime {
  let last: Promise<unknown> = Promise.resolve();
  return (step) => {
    const run = last.then(step, step);
    last = run.catch(() => undefined);
    return run;
  };
}
