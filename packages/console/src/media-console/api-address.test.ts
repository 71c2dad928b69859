import { describe, expect, it } from 'vitest';
import { type ApiAddress, readApiAddress } from './api-address.ts';

const own = { api: 'http://example.com:2022', http: 'http://example.com:2022' };

describe('address of the SRS that is shown', () => {
  it.each<[string, ApiAddress | string]>([
    ['', own],
    ['port=2022&http=2022', own],
    ['port=80&http=80', own],
    ['port=1985&http=8080', { api: 'http://example.com:1985', http: 'http://example.com:8080' }],
    ['host=10.0.0.5&port=1985&http=8080', { api: 'http://10.0.0.5:1985', http: 'http://10.0.0.5:8080' }],
    ['host=10.0.0.5&port=443&schema=https', { api: 'https://10.0.0.5', http: 'https://10.0.0.5' }],
    ['api=http://10.0.0.5:1985', { api: 'http://10.0.0.5:1985', http: 'http://10.0.0.5:1985' }],
    ['api=10.0.0.5:1985&http=8080', { api: 'http://10.0.0.5:1985', http: 'http://10.0.0.5:8080' }],
    [
      'api=http://a.example:1985&http=https://cdn.example',
      { api: 'http://a.example:1985', http: 'https://cdn.example' },
    ],
    ['api=javascript:alert(1)', 'invalid'],
    ['api=ftp://10.0.0.5', 'invalid'],
    ['api=http://user:pass@a.example', 'invalid'],
    ['api=http://a.example&http=://', 'invalid'],
  ])('of %j', (query, expected) => {
    const page = new URL('http://example.com:2022/console/en_index.html');
    expect(readApiAddress(new URLSearchParams(query), page)).toEqual(expected);
  });

  it('cannot be http on an https page', () => {
    const page = new URL('https://example.com/console/en_index.html');
    expect(readApiAddress(new URLSearchParams('api=http://10.0.0.5:1985'), page)).toBe('mixed-content');
    expect(readApiAddress(new URLSearchParams('port=443&http=443'), page)).toEqual({
      api: 'https://example.com',
      http: 'https://example.com',
    });
  });
});
