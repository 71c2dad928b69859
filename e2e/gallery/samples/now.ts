/** The time on every screenshot. */
export const now = new Date('2026-03-08T20:15:00+08:00');
