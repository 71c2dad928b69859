import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { writeGuideJson, writeXmltv } from './programme-guide.ts';

const channel = { stream: 'news', title: 'News & "more" <1>' };
const slot = (title: string, cause: 'weekly' | 'playlist' | 'filler') => ({
  ...{ item: title, title, cause, startsAt: '2026-03-29T01:30:00.000Z', endsAt: '2026-03-29T02:00:00.000Z' },
});

describe('the program guide for viewers', () => {
  it('is XML that other programs can parse, whatever the titles contain', () => {
    const xml = writeXmltv(channel, [slot("A < B & 'C'\u0001", 'weekly'), slot('', 'filler')]);
    const script =
      'import sys, xml.etree.ElementTree as e; r = e.fromstring(sys.stdin.read()); p = r.findall("programme"); ' +
      'print(r.find("channel/display-name").text, len(p), p[0].get("start"), p[0].get("stop"), p[0].get("channel"), p[0].find("title").text, sep="|")';
    const read = execFileSync('python3', ['-c', script], { input: xml, encoding: 'utf8' }).trim();
    expect(read).toBe(`News & "more" <1>|1|20260329013000 +0000|20260329020000 +0000|live/news|A < B & 'C'`);
  });

  it('is JSON with titles and times only', () => {
    expect(JSON.parse(writeGuideJson(channel, [slot('Film', 'playlist'), slot('', 'filler')]))).toEqual({
      ...{ channel: 'live/news', title: channel.title },
      programme: [{ title: 'Film', startsAt: '2026-03-29T01:30:00.000Z', endsAt: '2026-03-29T02:00:00.000Z' }],
    });
  });
});
