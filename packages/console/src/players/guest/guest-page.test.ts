import { expect, test } from 'vitest';
import { guestSentence } from './guest-sentence.ts';
import { invitationOfLink } from './invitation.ts';

const value = `inv-${'a'.repeat(32)}-${'0'.repeat(16)}-${'b'.repeat(32)}`;

test.each([
  [`#${value}`, value],
  [`#%20${value}`, value],
  [`#${value.slice(0, 40)}`, undefined],
  ['', undefined],
  ['#%', undefined],
  ['#<script>', undefined],
])('the invitation of a link that ends with %s', (hash, expected) => {
  expect(invitationOfLink(hash)).toBe(expected);
});

test('the sentence describes what viewers receive', () => {
  const sent = (isMuted: boolean, isHidden: boolean) => guestSentence('live', { isMuted, isHidden });
  expect([sent(false, false), sent(true, false), sent(false, true), sent(true, true)]).toEqual([
    ...['live', 'muted', 'hidden', 'silent'],
  ]);
  expect(guestSentence('waiting', { isMuted: true, isHidden: true })).toBe('waiting');
});
