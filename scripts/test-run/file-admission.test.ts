import { expect, it } from 'vitest';
import { type AdmissionState, type FileKind, mayStart } from './file-admission.ts';

const kinds = (...list: FileKind[]) => list.map((kind) => ({ kind }));
const idle: AdmissionState = { running: [], busy: 0, sinceStartMs: 60_000, processors: 2 };

it('starts as many files as there are processors, however busy they are', () => {
  const full = { ...idle, busy: 1, sinceStartMs: 0 };
  expect(mayStart({ kind: 'product' }, { ...full, running: kinds('product') })).toBe(true);
  expect(mayStart({ kind: 'product' }, { ...full, running: kinds('product', 'product') })).toBe(false);
  expect(mayStart({ kind: 'light' }, { ...full, running: kinds('light', 'light') })).toBe(false);
});

it('starts another product while processors are idle, once the load of the last one is visible', () => {
  const half = { ...idle, running: kinds('product', 'product', 'product'), busy: 0.5 };
  expect(mayStart({ kind: 'product' }, half)).toBe(true);
  expect(mayStart({ kind: 'product' }, { ...half, sinceStartMs: 100 })).toBe(false);
  expect(mayStart({ kind: 'light' }, { ...half, sinceStartMs: 100 })).toBe(true);
});

it('leaves more idle processors beside files that work in real time', () => {
  const beside = { ...idle, running: kinds('realTime') };
  expect(mayStart({ kind: 'product' }, { ...beside, busy: 0.5 })).toBe(true);
  expect(mayStart({ kind: 'product' }, { ...beside, busy: 0.7 })).toBe(false);
  expect(mayStart({ kind: 'realTime' }, { ...idle, running: kinds('product'), busy: 0.7 })).toBe(false);
  expect(mayStart({ kind: 'realTime' }, { ...idle, busy: 1 })).toBe(true);
});

it('runs a file alone: before it and after it', () => {
  expect(mayStart({ kind: 'alone' }, { ...idle, running: kinds('light') })).toBe(false);
  expect(mayStart({ kind: 'alone' }, idle)).toBe(true);
  expect(mayStart({ kind: 'light' }, { ...idle, running: kinds('alone') })).toBe(false);
});
