// Billing months. A month begins on the day of the start date, in the time zone of the server. Pure.

export interface UsageMonth {
  readonly start: Date;
  readonly end: Date;
}

/** The month that contains `now`. Day 31 means the last day of shorter months. */
export function usageMonthOf(startDate: string, now: Date): UsageMonth {
  const day = Number(startDate.slice(8, 10)) || 1;
  const begin = (offset: number): Date => {
    const year = now.getFullYear();
    const month = now.getMonth() + offset;
    const lastDay = new Date(year, month + 1, 0).getDate();
    return new Date(year, month, Math.min(day, lastDay));
  };
  const offset = now >= begin(0) ? 0 : -1;
  return { start: begin(offset), end: begin(offset + 1) };
}
