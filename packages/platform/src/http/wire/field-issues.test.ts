// Error texts are those of the schema library; message keys are added.
import { endpoints, toWirePhrase } from '@srs-stack/contract';
import type { FastifyError } from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { issuesReason } from './field-issues.ts';

function issuesOf(schema: z.ZodType, value: unknown): NonNullable<FastifyError['validation']> {
  const validate = validatorCompiler({ schema, method: 'POST', url: '/', httpPart: 'body' });
  return (validate(value) as { error: NonNullable<FastifyError['validation']> }).error;
}

const reasonFor = (schema: z.ZodType, value: unknown) => {
  const reason = issuesReason(issuesOf(schema, value));
  const { error } = schema.safeParse(value);
  const expected = error!.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`).join('; ');
  expect(reason.text).toBe(expected);
  return toWirePhrase(reason).values.issues as { key: string; values: object }[];
};

test.each([
  [z.string(), undefined, 'fields.missing', {}],
  [z.string(), 5, 'fields.type', { expected: 'string' }],
  [z.int(), 1.5, 'fields.type', { expected: 'int' }],
  [z.string().max(3), 'long', 'fields.too-long', { maximum: 3 }],
  [z.string().min(3), 'x', 'fields.too-short', { minimum: 3 }],
  [z.number().max(3), 4, 'fields.too-large', { maximum: 3 }],
  [z.number().min(3), 2, 'fields.too-small', { minimum: 3 }],
  [z.number().positive(), 0, 'fields.above', { minimum: 0 }],
  [z.number().lt(3), 3, 'fields.below', { maximum: 3 }],
  [z.array(z.string()).max(1), ['a', 'b'], 'fields.too-many', { maximum: 1 }],
  [z.array(z.string()).min(1), [], 'fields.too-few', { minimum: 1 }],
  [z.enum(['a', 'b']), 'c', 'fields.choice', { choices: 'a, b' }],
  [z.string().regex(/^a$/), 'b', 'fields.form', {}],
])('%# an invalid field reports why', (schema, value, key, values) => {
  const [issue] = reasonFor(z.object({ name: schema }), { name: value });
  expect(issue).toEqual({ key, values: { field: 'name', ...values } });
});

test('several fields are reported in order, at most five', () => {
  const fields = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [name, z.string()]));
  const { values } = toWirePhrase(issuesReason(issuesOf(z.object(fields), {})));
  expect((values.issues as { values: { field: string } }[]).map((each) => each.values.field)).toEqual([
    'a',
    'b',
    'c',
    'd',
    'e',
  ]);
});

test('a rule of the contract has its own key, other rules keep their text', () => {
  const [kept] = reasonFor(endpoints.updateRecordRetention.request, { keepDays: 0, maxBytes: 5 });
  expect(kept?.values).toMatchObject({ words: { key: 'record.keeps-too-little', values: {} } });
  const [other] = reasonFor(
    z.string().refine(() => false, 'odd'),
    'x',
  );
  expect(other).toEqual({ key: 'fields.other', values: { field: 'body', words: 'odd' } });
});
