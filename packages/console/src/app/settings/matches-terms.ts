// Whether a text contains every typed word, in any order, upper or lower case. Pure.

export function matchesTerms(text: string, typed: string): boolean {
  const whole = text.toLocaleLowerCase();
  return typed
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => whole.includes(word));
}
