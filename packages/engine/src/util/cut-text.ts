// Parts of texts that are kept for long. A part of a string keeps the whole string in memory, so it is copied. Pure.

/** The text in memory of its own. */
export function copyText(text: string): string {
  return Buffer.from(text).toString();
}

/** At most `length` characters of it. */
export function cutText(text: string, length: number): string {
  return text.length <= length ? text : copyText(text.slice(0, length));
}
