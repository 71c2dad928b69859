import { describe, expect, it } from 'vitest';
import { boundaryOf, readFormStart } from './form-start.ts';

const field = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const file = '--b\r\nContent-Disposition: form-data; name="f"; filename="a.mp4"\r\nContent-Type: video/mp4\r\n\r\nDATA';
const read = (text: string) => readFormStart(Buffer.from(text, 'latin1'), 'b');

describe('the beginning of a form', () => {
  it.each([
    ['a token before the file', field('token', 'abc') + file],
    ['other fields before the token', field('note', 'x') + field('token', 'abc') + file],
    ['only a token', `${field('token', 'abc')}--b--\r\n`],
    ['a name without quotes', field('token', 'abc').replace('"token"', 'token') + file],
    [
      'headers in other case and order',
      `--b\r\nx: y\r\ncontent-disposition:form-data;NAME=token\r\n\r\nabc\r\n${file}`,
    ],
  ])('holds the token: %s', (_name, text) => {
    expect(read(text)).toEqual({ kind: 'token', token: 'abc' });
  });

  it.each([
    ['the file first', file + field('token', 'abc')],
    [
      'a file in the name of a token',
      '--b\r\ncontent-disposition: form-data; name="token"; filename="x"\r\n\r\nabc\r\n--b',
    ],
    ['an encoded file name', "--b\r\ncontent-disposition: form-data; name=token; filename*=utf-8''x\r\n\r\nabc\r\n--b"],
    ['an empty form', '--b--\r\n'],
    ['fields without a token', `${field('note', 'x')}--b--\r\n`],
    ['another boundary', field('token', 'abc').replaceAll('--b', '--c')],
    ['something before the form', `hello\r\n${field('token', 'abc')}`],
    ['no form at all', '{"token":"abc"}'],
  ])('holds none: %s', (_name, text) => {
    expect(read(text)).toEqual({ kind: 'no-token' });
  });

  it('is incomplete at every byte before the end of the token', () => {
    const text = field('note', '--bb\r\n--') + field('token', 'abc') + file;
    const end = text.indexOf('abc') + 'abc\r\n--b'.length;
    for (let length = 0; length < end; length++) {
      expect(read(text.slice(0, length)), JSON.stringify(text.slice(0, length))).toEqual({ kind: 'incomplete' });
    }
    for (let length = end; length <= text.length; length++) {
      expect(read(text.slice(0, length))).toEqual({ kind: 'token', token: 'abc' });
    }
  });
});

it.each([
  ['multipart/form-data; boundary=b', 'b'],
  ['multipart/form-data; charset=utf-8; boundary="a b"', 'a b'],
  ['Multipart/Form-Data;boundary=----WebKitFormBoundaryX', '----WebKitFormBoundaryX'],
  [`multipart/form-data; boundary=${'x'.repeat(71)}`, undefined],
  ['multipart/form-data', undefined],
  ['text/plain; boundary=b', undefined],
  [undefined, undefined],
])('the boundary of %j is %j', (header, boundary) => {
  expect(boundaryOf(header)).toBe(boundary);
});
