// A number of places: steps beyond it wait for one, in their order.

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
      // The place goes on to the next one, or is free.
      const next = waiting.shift();
      if (next) next();
      else taken -= 1;
    }
  };
}
