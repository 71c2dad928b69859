import { describe, expect, it } from 'vitest';
import { brokenLinks, brokenMentions, headingAnchors } from './markdown-links.ts';

function checkoutOf(files: Record<string, string>) {
  return { paths: new Set(Object.keys(files)), read: (path: string) => files[path] ?? '' };
}

const files = {
  'README.md': '# Product\n',
  'docs/reference/api.md': '# HTTP API\n\n## On the wire\n',
  'docs/images/live.png': '',
};

describe('brokenLinks', () => {
  it('reports a missing file and a missing heading with their lines', () => {
    const text = '[a](api.md)\n\n[gone](gone.md) and [b](api.md#nowhere)\n![image](../images/none.png)\n';
    expect(brokenLinks('docs/reference/x.md', checkoutOf({ ...files, 'docs/reference/x.md': text }))).toEqual([
      'docs/reference/x.md:3: gone.md: no such file',
      'docs/reference/x.md:3: api.md#nowhere: no such heading',
      'docs/reference/x.md:4: ../images/none.png: no such file',
    ]);
  });

  it.each([
    '[file](docs/reference/api.md)',
    '[heading](docs/reference/api.md#on-the-wire)',
    '[folder](docs/reference/)',
    '[this page](#here)',
    '[elsewhere](https://example.com/gone.md)',
    '[![image](docs/images/live.png)](docs/reference/api.md)',
    '`[code](gone.md)`',
    '```\n[code](gone.md)\n```',
  ])('accepts %j', (text) => {
    expect(brokenLinks('x.md', checkoutOf({ ...files, 'x.md': `# Here\n\n${text}\n` }))).toEqual([]);
  });

  it('checks links after the end of a fenced block', () => {
    const text = '```sh\nnpm ci\n```\n[gone](gone.md)\n';
    expect(brokenLinks('x.md', checkoutOf({ 'x.md': text }))).toEqual(['x.md:4: gone.md: no such file']);
  });
});

describe('brokenMentions', () => {
  it('reports a missing document that a comment mentions', () => {
    const code = '// One.\n// See docs/api.md and docs/reference/api.md.\n';
    expect(brokenMentions('a.ts', checkoutOf({ ...files, 'a.ts': code }))).toEqual([
      'a.ts:2: docs/api.md: no such document',
    ]);
  });

  it('finds a path that a program reads relative to itself, and ignores other projects', () => {
    const code = "read('../docs/api.md'); fetch('https://example.com/docs/api.md');\n";
    expect(brokenMentions('a.ts', checkoutOf({ ...files, 'a.ts': code }))).toHaveLength(1);
  });
});

describe('headingAnchors', () => {
  it('makes the same anchors as GitHub', () => {
    const text =
      '# HTTP/2 for iPhones\n## `SRT_LISTEN` and [links](a.md)\n## Twice\n## Twice\n```\n# code\n```\n# 中文 标题\n';
    expect([...headingAnchors(text)]).toEqual([
      'http2-for-iphones',
      'srt_listen-and-links',
      'twice',
      'twice-1',
      '中文-标题',
    ]);
  });
});
