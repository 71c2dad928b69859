// Copies substrings that are kept for long: V8 keeps the complete original string in memory as long as a substring exists. Pure.

/** A copy of the text. */
export function copyText(text: string): string {
  return Buffer.from(text).toString();
}

/** Returns the text, or a copy of its first `length` characters. */
export function cutText(text: string, length: number): string {
  return text.length <= length ? text : copyText(text.slice(0, length));
}
