/** Formats RFC 3339 as YYYY-MM-DD HH:mm:ss in local time. Returns a dash for '', and invalid text unchanged. */
export function formatTimestamp(text: string): string {
  if (text === '') return '–';
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return text;
  const pad = (value: number) => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
  return `${day} ${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`;
}

/** Hours and minutes in local time, as usual in the language. */
export function formatClock(atMs: number, language: string): string {
  return new Date(atMs).toLocaleTimeString(language, { hour: '2-digit', minute: '2-digit' });
}
