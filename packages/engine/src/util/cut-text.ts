// Copies of substrings that are kept for long, because a substring keeps its whole string in memory. Pure.

/** A copy of the text. */
export function copyText(text: string): string {
  return Buffer.from(text).toString();
}

/** At most `length` characters of the text. */
export function cutText(text: string, length: number): string {
  return text.length <= length ? text : copyText(text.slice(0, length));
}
