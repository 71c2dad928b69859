import { describe, expect, it } from 'vitest';
import { AppError } from './errors.ts';
import { refusedWith } from './models/schema-refusal.ts';
import { phrasesOf, toWirePhrase } from './phrases.ts';
import { because, refusalDetails, verbatim } from './refusal-details.ts';

const say = phrasesOf('test', { plain: 'nothing to fill in', pair: '{first} and {second}', list: 'found: {parts}' });

describe('a phrase', () => {
  it('has the English text with its values inserted unchanged', () => {
    expect(say('plain').text).toBe('nothing to fill in');
    expect(say('pair', { first: '{second}', second: 2 }).text).toBe('{second} and 2');
  });

  it('accepts phrases as values, one or several', () => {
    const parts = [say('plain'), say('pair', { first: say('plain'), second: 'x' })];
    expect(say('list', { parts }).text).toBe('found: nothing to fill in; nothing to fill in and x');
    expect(toWirePhrase(say('list', { parts }))).toEqual({
      key: 'list',
      values: {
        parts: [
          { key: 'plain', values: {} },
          { key: 'pair', values: { first: { key: 'plain', values: {} }, second: 'x' } },
        ],
      },
    });
  });

  it('does not compile with a wrong key, a missing or a superfluous value', () => {
    // @ts-expect-error: unknown key
    expect(() => say('other')).toThrow();
    // @ts-expect-error: `second` is missing
    expect(say('pair', { first: 1 }).text).toBe('1 and ');
    // @ts-expect-error: `third` is not in the template
    expect(say('pair', { first: 1, second: 2, third: 3 }).text).toBe('1 and 2');
    // @ts-expect-error: the template has no placeholders
    expect(say('plain', {}).text).toBe('nothing to fill in');
  });
});

describe('the detail of a refusal', () => {
  it('is in the message in English, and in the facts as a key', () => {
    const error = new AppError('addressRefused', because('address.never-contacted', { host: '169.254.169.254' }));
    expect(error.facts).toEqual({
      message:
        'this address is not allowed: 169.254.169.254 is a link-local or special address, which is never contacted',
      name: 'addressRefused',
      reason: { key: 'address.never-contacted', values: { host: '169.254.169.254' } },
    });
  });

  it('is absent when the message of the code is complete', () => {
    expect(new AppError('diskFull').facts).toEqual({
      message: 'there is not enough disk space',
      name: 'diskFull',
    });
    expect(new AppError('mediaUnusable', verbatim('')).facts).not.toHaveProperty('reason');
  });

  it('is never a plain string, nor a phrase of another catalogue', () => {
    // @ts-expect-error: a plain string is neither `because` nor `verbatim`
    const bare = () => new AppError('diskFull', 'no room');
    // @ts-expect-error: not a refusal
    const other = () => new AppError('diskFull', say('plain'));
    expect([bare, other]).toHaveLength(2);
  });

  it('can come from a schema, with the text of the catalogue', () => {
    const text = refusalDetails['record.keeps-too-little'];
    expect(refusedWith('record.keeps-too-little', text)).toEqual({
      message: text,
      params: { reason: 'record.keeps-too-little' },
    });
    // @ts-expect-error: the text differs from the catalogue
    expect(refusedWith('record.keeps-too-little', 'too little').message).toBe('too little');
  });
});
