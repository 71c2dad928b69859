import { describe, expect, it } from 'vitest';
import { withBearer } from './bearer-credential.ts';

const whip = '/rtc/v1/whip/?app=live&stream=s';
const whep = '/rtc/v1/whep/?app=live&stream=s';
const link = `k1.1999999999.${'a'.repeat(64)}`;

describe('a bearer credential', () => {
  it.each([
    ['is the secret of a publisher', whip, 'Bearer s3cret', `${whip}&secret=s3cret`],
    ['is encoded', whip, 'bearer a+/==', `${whip}&secret=a%2B%2F%3D%3D`],
    ['starts the query of a URL without one', '/rtc/v1/whip', 'Bearer x', '/rtc/v1/whip?secret=x'],
    ['is ignored if the URL contains a secret', `${whip}&secret=a`, 'Bearer b', `${whip}&secret=a`],
    ['is the signed link of a viewer', whep, `Bearer ${link}`, `${whep}&watch=${link}`],
    [
      'is the signed link of a viewer that plays by WHIP',
      `${whip}&action=play`,
      `Bearer ${link}`,
      `${whip}&action=play&watch=${link}`,
    ],
    ['of a viewer is ignored if it is not a signed link', whep, 'Bearer other', whep],
    ['is ignored in other calls', '/rtc/v1/publish/', 'Bearer x', '/rtc/v1/publish/'],
    ['is ignored in another scheme', whip, 'Basic eDp5', whip],
    ['is ignored if it contains a line break', whip, 'Bearer a\r\nb', whip],
    ['is ignored if it is too long', whip, `Bearer ${'x'.repeat(1_025)}`, whip],
    ['may be missing', whip, undefined, whip],
  ])('%s', (_name, url, authorization, expected) => {
    expect(withBearer(url, authorization)).toBe(expected);
  });
});
