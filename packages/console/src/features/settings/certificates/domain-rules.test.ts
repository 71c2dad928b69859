import { expect, test } from 'vitest';
import { domainProblem, isDomain } from './domain-rules.ts';

test.each(['live.example.com', 'a.co', 'xn--mnchen-3ya.de', 'A.B.C.example'])('%s is a domain', (text) => {
  expect(isDomain(text)).toBe(true);
});
test.each([
  '',
  'localhost',
  '192.168.1.1',
  'a..b',
  '-a.com',
  'a-.com',
  'a.com.',
  'a b.com',
  'a.c',
  `${'x'.repeat(64)}.com`,
])('%j is not a domain', (text) => expect(isDomain(text)).toBe(false));

const page = { hostname: 'live.example.com', port: '' };
test.each([
  ['live.example.com', page, undefined],
  [' LIVE.example.com ', { ...page, port: '80' }, undefined],
  ['live.example.com', { ...page, port: '3000' }, undefined],
  ['live.example.com', { ...page, port: '2022' }, 'port'],
  ['live.example.com', { hostname: '10.0.0.1', port: '' }, 'page'],
  ['', page, 'missing'],
  ['live', page, 'format'],
  ['other.example.com', page, 'differs'],
] as const)('%j on %j: %s', (domain, where, problem) => {
  expect(domainProblem(domain, where)).toBe(problem);
});
