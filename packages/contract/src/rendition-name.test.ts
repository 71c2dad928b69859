import { describe, expect, it } from 'vitest';
import { parseRenditionName, renditionName, sourceNameOf } from './rendition-name.ts';
import { isValidStreamName } from './stream-name.ts';

describe('names of renditions', () => {
  it('can be parsed into stream and rendition', () => {
    const name = renditionName('lobby', '720p');
    expect(name).toBe('lobby~720p');
    expect(parseRenditionName(name)).toEqual({ stream: 'lobby', step: '720p' });
    expect(sourceNameOf(name)).toBe('lobby');
  });

  it('are not valid names for publishers', () => {
    expect(isValidStreamName(renditionName('lobby', '720p'))).toBe(false);
  });

  it.each(['lobby', '~720p', 'lobby~', 'lobby~720P', 'lobby~a/b', 'a~b~720p', '.x~720p', `x~${'a'.repeat(13)}`])(
    '%s is not a rendition name',
    (name) => {
      expect(parseRenditionName(name)).toBeUndefined();
      expect(sourceNameOf(name)).toBe(name);
    },
  );
});
