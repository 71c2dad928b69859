import { errorCatalogue } from '@srs-stack/contract/errors.ts';
import { expect, test } from 'vitest';
import { ApiError, type ApiErrorFacts } from '../../api/api-error.ts';
import { describeError } from './error-description.ts';
import en from './locales/en.json' with { type: 'json' };
import zh from './locales/zh.json' with { type: 'json' };

const apiError = (facts: Partial<ApiErrorFacts>) =>
  new ApiError({ kind: 'refused', message: 'why', url: '/terraform/v1/x', status: 500, statusText: 'Oops', ...facts });
const names = (error: unknown) => describeError(error).facts.map((fact) => fact.name);

test.each([
  [1007, 'storeNotReady'],
  [2001, 'tokenInvalid'],
  [3001, 'httpsToolRequired'],
] as const)('code %i is explained, with code and message only', (code, explanation) => {
  const description = describeError(apiError({ code }));
  expect(description).toMatchObject({ explanation, isBrief: true });
  expect(description.facts).toEqual([
    { name: 'code', value: String(code) },
    { name: 'message', value: 'why' },
  ]);
});

test('another code shows request, status, code, message and the body as formatted JSON', () => {
  const body = { code: 4022, data: { message: 'why' } };
  const { facts } = describeError(apiError({ code: 4022, body, requestId: 'r-1' }));
  expect(facts).toEqual([
    { name: 'request', value: '/terraform/v1/x' },
    { name: 'status', value: '500 Oops' },
    { name: 'code', value: '4022' },
    { name: 'message', value: 'why' },
    { name: 'data', value: JSON.stringify(body, null, 2), isBlock: true },
  ]);
  expect(describeError(apiError({ code: 4022, requestId: 'r-1' })).requestId).toBe('r-1');
});

test('a status without a code shows request, status and data; a missing response shows no status', () => {
  expect(names(apiError({ kind: 'http', body: 'text' }))).toEqual(['request', 'status', 'message', 'data']);
  expect(names(apiError({ kind: 'network', status: 0, statusText: '' }))).toEqual(['request', 'message']);
});

test('a plain error shows name, message and stack; other objects their JSON; nothing "empty"', () => {
  expect(names(new TypeError('broken'))).toEqual(['name', 'message', 'stack']);
  expect(describeError({ a: 1 }).facts).toEqual([{ name: 'object', value: '{\n  "a": 1\n}', isBlock: true }]);
  expect(names(undefined)).toEqual(['empty']);
  expect(names('')).toEqual(['empty']);
  const circular: { self?: unknown } = {};
  circular.self = circular;
  expect(names(circular)).toEqual(['object']);
});

test.each(Object.entries(errorCatalogue))(
  '%s has a text in every language, or its page explains it',
  (name, { code }) => {
    const { explanation } = describeError(apiError({ code }));
    if (explanation === undefined) return expect(name).toMatch(/^(callback|certificate|domain)/);
    for (const texts of [en, zh]) expect(texts.explained).toHaveProperty(explanation);
  },
);
