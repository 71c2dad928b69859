import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { requestShapeOf, toRequestObject } from './request-keys.ts';

const shape = requestShapeOf(
  z.object({
    baseURL: z.string(),
    maybe: z.string().optional(),
    kept: z.string().nullable(),
    files: z.array(z.object({ uuid: z.string(), Size: z.number().default(0) })).optional(),
    free: z.record(z.string(), z.unknown()).optional(),
  }),
);

describe('request keys', () => {
  it('match in any case, at every depth of the schema', () => {
    const body = { BASEurl: 'x', FILES: [{ UUID: '1', size: 2, extra: 3 }, 'odd'], Free: { Kept: 1 }, unknown: 1 };
    expect(toRequestObject(shape, body)).toEqual({
      baseURL: 'x',
      files: [{ uuid: '1', Size: 2 }, 'odd'],
      free: { Kept: 1 },
    });
  });

  it('prefer the exact spelling in any order', () => {
    expect(toRequestObject(shape, { baseurl: 'a', baseURL: 'b', BASEURL: 'c' })).toEqual({ baseURL: 'b' });
    expect(toRequestObject(shape, { baseURL: 'b', baseurl: 'a' })).toEqual({ baseURL: 'b' });
  });

  it('treat null as absent unless the schema allows null', () => {
    expect(toRequestObject(shape, { baseURL: null, maybe: null, kept: null, files: null })).toEqual({ kept: null });
  });

  it('never throw anything but a refusal, and never invent keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        try {
          const names = Object.keys(toRequestObject(shape, body));
          expect(['baseURL', 'maybe', 'kept', 'files', 'free']).toEqual(expect.arrayContaining(names));
        } catch (error) {
          expect(error).toMatchObject({ errorName: 'invalidRequest' });
        }
      }),
      { seed: 5, numRuns: 500 },
    );
  });
});
