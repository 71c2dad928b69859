import { expect, test } from 'vitest';
import { typeKey } from './key-sequence.ts';

const sequences = ['?', 'g l', 'g s'];
const type = (...keys: string[]) => {
  let pending = '';
  const completed: string[] = [];
  for (const key of keys) {
    const next = typeKey(pending, key, sequences);
    pending = next.pending;
    if (next.completed) completed.push(next.completed);
  }
  return { pending, completed };
};

test('a shortcut is completed by one key, or by two in a row', () => {
  expect(type('?', 'g', 'l', 'g', 's')).toEqual({ pending: '', completed: ['?', 'g l', 'g s'] });
});

test('a key without a match is dropped, and may start the next sequence', () => {
  expect(type('g', 'x', 'l')).toEqual({ pending: '', completed: [] });
  expect(type('g', '?')).toEqual({ pending: '', completed: ['?'] });
  expect(type('g', 'g', 'l')).toEqual({ pending: '', completed: ['g l'] });
});
