// A semaphore that limits the number of simultaneous steps. Further steps wait in order.

export type Places = <T>(step: () => Promise<T>) => Promise<T>;

export function createPlaces(number: number): Places {
  const waiting: (() => void)[] = [];
  let taken = 0;
  return async (step) => {
    if (taken < number) taken += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await step();
    } finally {
      // Passes the place to the next waiting step, or frees the place.
      const next = waiting.shift();
      if (next) next();
      else taken -= 1;
    }
  };
}
