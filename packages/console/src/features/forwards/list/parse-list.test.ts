import { describe, expect, test } from 'vitest';
import { maxListLength, parseList } from './parse-list.ts';
import { readCsv } from './read-csv.ts';

const one = { label: 'One', server: 'rtmp://one.example/live', secret: 'k/1?a=b,c', stream: 'main', group: 'fair' };
const two = { label: 'Two', server: 'srt://two.example:9000', secret: '', stream: '', group: '' };

describe('a list', () => {
  test.each([
    [
      'CSV with a header in any order',
      `Group,Key,Server,Name,Source\nfair,"k/1?a=b,c",${one.server},One,main\n,,${two.server},Two,\n`,
    ],
    [
      'CSV with semicolons and Windows line ends',
      `name;server;key;source;group\r\nOne;${one.server};k/1?a=b,c;main;fair\r\nTwo;${two.server};;;\r\n`,
    ],
    ['tabs', `name\tserver\tkey\tsource\tgroup\nOne\t${one.server}\tk/1?a=b,c\tmain\tfair\nTwo\t${two.server}\t\t\t`],
    ['CSV without a header', `One,${one.server},"k/1?a=b,c",main,fair\nTwo,${two.server}`],
    [
      'Chinese names of columns',
      `\uFEFF名称,推流地址,推流密钥,源流,分组\nOne,${one.server},"k/1?a=b,c",main,fair\nTwo,${two.server}`,
    ],
    [
      'JSON',
      JSON.stringify([{ name: 'One', server: one.server, key: one.secret, source: 'main', group: 'fair' }, two]),
    ],
    ['JSON with `targets`', JSON.stringify({ targets: [one, two], more: 1 })],
  ])('as %s', (_name, text) => {
    expect(parseList(text)).toEqual({ rows: [one, two] });
  });

  test.each([
    ['', 'empty'],
    ['  \n \n', 'empty'],
    ['name,server\n', 'empty'],
    ['[]', 'empty'],
    ['[{"name": }]', 'not-json'],
    ['{"server": "rtmp://a"}', 'not-json'],
    ['name,key\nOne,k', 'no-server-column'],
    [Array(101).fill('One,rtmp://a/b').join('\n'), 'too-many'],
    ['x'.repeat(maxListLength + 1), 'too-large'],
  ])('%.20j is refused: %s', (text, problem) => {
    expect(parseList(text)).toEqual({ problem });
  });

  test('values of other types are left empty, numbers become text', () => {
    expect(parseList('[{"name": 7, "server": ["x"], "key": null}, null, 3]')).toEqual({
      rows: [
        { ...two, label: '7', server: '' },
        { ...two, label: '', server: '' },
        { ...two, label: '', server: '' },
      ],
    });
  });
});

test.each([
  ['a,b\nc', [['a', 'b'], ['c']]],
  ['"a ""b""","c\nd"\r\n', [['a "b"', 'c\nd']]],
  ['a,', [['a', '']]],
  ['"open, and\nmore', [['open, and\nmore']]],
  ['"a"rest,b', [['a', 'b']]],
  ['\n\na\n\n', [['a']]],
])('CSV %j', (text, lines) => {
  expect(readCsv(text)).toEqual(lines);
});
