import { expect, it } from 'vitest';
import { RenditionDoor } from './rendition-door.ts';

it('admits only publishers with the key of this process', () => {
  const door = new RenditionDoor();
  const { text, secret } = door.query;
  expect(text).toContain(secret);
  expect(door.admits({ param: `?${text}` })).toBe(true);
  const other = new RenditionDoor().query.text;
  for (const param of ['', '?', '?ladder=', `?ladder=${secret}0`, `?ladder=${secret.slice(1)}`, `?${other}`]) {
    expect(door.admits({ param })).toBe(false);
  }
});

it('recognizes renditions by their names', () => {
  const door = new RenditionDoor();
  expect([door.isRendition({ stream: 'x~720p' }), door.isRendition({ stream: 'x' })]).toEqual([true, false]);
});
