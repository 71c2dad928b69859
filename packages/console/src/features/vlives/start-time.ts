// Converts a start time between RFC 3339 (server) and the format of a browser field in local time, whole minutes. Pure.

/** Returns local time such as `2030-01-31T20:00`; '' for an empty or invalid time. */
export function toFieldText(startAt: string): string {
  const date = new Date(startAt);
  if (startAt === '' || Number.isNaN(date.getTime())) return '';
  const pad = (value: number, length = 2) => String(value).padStart(length, '0');
  const day = `${pad(date.getFullYear(), 4)}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
  return `${day}T${pad(date.getHours())}:${pad(date.getMinutes())}`;
}

/** Returns RFC 3339; '' for an empty or invalid time. */
export function fromFieldText(text: string): string {
  const date = new Date(text);
  return text === '' || Number.isNaN(date.getTime()) ? '' : date.toISOString();
}

export function isAhead(startAt: string, nowMs: number): boolean {
  return Date.parse(startAt) > nowMs;
}
