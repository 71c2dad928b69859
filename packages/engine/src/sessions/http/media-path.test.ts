import { describe, expect, it } from 'vitest';
import { parseMediaPath } from './media-path.ts';

describe('parseMediaPath', () => {
  it.each([
    ['/live/s.flv', 'live', 's', 'flv', ''],
    ['/app/sub/s.FLV?secret=a%20b', 'app/sub', 's', 'flv', '?secret=a%20b'],
    ['/live/a.b.m3u8', 'live', 'a.b', 'm3u8', ''],
    ['/live/%E6%B5%81.flv', 'live', '流', 'flv', ''],
  ])('%s', (target, app, stream, extension, query) => {
    expect(parseMediaPath(target)).toMatchObject({ app, stream, extension, query });
  });

  it.each(['/', '/s.flv', '/live/s', '/live/.flv', '/live/%zz.flv', '/live/', 'live/s.flv', '/live/s.'])(
    '%s is not a media path',
    (target) => {
      expect(parseMediaPath(target)).toBeUndefined();
    },
  );
});
