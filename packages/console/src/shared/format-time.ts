// Timestamps as the product shows them everywhere: YYYY-MM-DD HH:mm:ss in the browser's time zone.

/** Input is RFC 3339; returns a dash for an empty value, and the text itself if it is not a time. */
export function formatTimestamp(text: string): string {
  if (text === '') return '–';
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return text;
  const pad = (value: number) => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
  return `${day} ${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`;
}

/** Hours and minutes in the browser's time zone, as the language writes them. */
export function formatClock(atMs: number, language: string): string {
  return new Date(atMs).toLocaleTimeString(language, { hour: '2-digit', minute: '2-digit' });
}
