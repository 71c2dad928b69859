// Rates the strength of a password as advice; weak passwords are accepted. Pure.

export const strengths = ['weak', 'fair', 'good', 'strong'] as const;
export type Strength = (typeof strengths)[number];

/** Prefixes that attackers try first. */
const common = /^(123|abc|qwe|admin|passw|letmein|welcome|root|srs|test|000|111|666|888)/i;

/** Upper limit of each level, bits of entropy. */
const bounds: readonly [number, Strength][] = [
  [36, 'weak'],
  [52, 'fair'],
  [62, 'good'],
];

export function passwordStrength(password: string): Strength {
  const bits = guessBits(password);
  return bounds.find(([bound]) => bits < bound)?.[1] ?? 'strong';
}

function guessBits(password: string): number {
  const distinct = new Set(password).size;
  const effectiveLength = Math.min(password.length, distinct * 2);
  const bits = effectiveLength * Math.log2(alphabetSize(password));
  return common.test(password) ? bits / 2 : bits;
}

function alphabetSize(password: string): number {
  const classes: readonly [RegExp, number][] = [
    [/[0-9]/, 10],
    [/[a-z]/, 26],
    [/[A-Z]/, 26],
    [/[^0-9a-zA-Z]/, 33],
  ];
  const size = classes.reduce((sum, [pattern, count]) => (pattern.test(password) ? sum + count : sum), 0);
  return Math.max(size, 2);
}
