import { expect, it } from 'vitest';
import { RenditionAccess } from './rendition-access.ts';

it('admits only publishers with the key of this process', () => {
  const access = new RenditionAccess();
  const { text, secret } = access.query;
  expect(text).toContain(secret);
  expect(access.admits({ param: `?${text}` })).toBe(true);
  const other = new RenditionAccess().query.text;
  for (const param of ['', '?', '?ladder=', `?ladder=${secret}0`, `?ladder=${secret.slice(1)}`, `?${other}`]) {
    expect(access.admits({ param })).toBe(false);
  }
});

it('recognizes renditions by their names', () => {
  const access = new RenditionAccess();
  expect([access.isRendition({ stream: 'x~720p' }), access.isRendition({ stream: 'x' })]).toEqual([true, false]);
});
