import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Multivariant, Variant } from '@srs-stack/contract/wire/multivariant.ts';
import { toStreamUrl } from '@srs-stack/engine';
import { afterEach, describe, expect, it } from 'vitest';
import { type MultivariantDeps, MultivariantPlaylists, parseMasterPath, writeMultivariant } from './multivariant.ts';

const variant: Variant = {
  stream: 'x~720p',
  peakBps: 2_600_000.4,
  averageBps: 2_400_000,
  width: 1280,
  height: 720,
  fps: 29.97,
  codecs: 'avc1.64001f,mp4a.40.2',
};
const sound: Variant = { ...variant, stream: 'x~audio', width: 0, height: 0, fps: 0, codecs: 'mp4a.40.2' };

describe('the text', () => {
  it('contains what RFC 8216 §4.3.4.2 requires, without attributes whose values are unknown', () => {
    expect(writeMultivariant([variant, sound], '.m3u8?hls_ctx=v-1&watch=k')).toBe(
      [
        '#EXTM3U',
        '#EXT-X-VERSION:3',
        '#EXT-X-INDEPENDENT-SEGMENTS',
        '#EXT-X-STREAM-INF:BANDWIDTH=2600001,AVERAGE-BANDWIDTH=2400000,RESOLUTION=1280x720,FRAME-RATE=29.970,CODECS="avc1.64001f,mp4a.40.2"',
        '../x~720p.m3u8?hls_ctx=v-1&watch=k',
        '#EXT-X-STREAM-INF:BANDWIDTH=2600001,AVERAGE-BANDWIDTH=2400000,CODECS="mp4a.40.2"',
        '../x~audio.m3u8?hls_ctx=v-1&watch=k',
        '',
      ].join('\n'),
    );
  });

  it('escapes codec names so that they cannot end their quotes', () => {
    expect(writeMultivariant([{ ...variant, codecs: 'a"\nb' }], '')).not.toContain('CODECS');
  });
});

it.each([
  ['/live/x/master.m3u8?a=b', 'live/x'],
  ['/a/b/x/master.m3u8', 'a/b/x'],
  ['/live/%E7%9B%B4/master.m3u8', 'live/直'],
  ['/live/x~720p/master.m3u8', undefined],
  ['/live/../master.m3u8', undefined],
  ['/live/%ff/master.m3u8', undefined],
  ['/live/master.m3u8', undefined],
  ['/live/x/master.ll.m3u8?a=b', 'live/x', true],
  ['/live/x/masterxll.m3u8', undefined],
])('the target %s names the stream %s', (target, url, isLowLatency = false) => {
  const found = parseMasterPath(target);
  expect(found && toStreamUrl(found.key)).toBe(url);
  if (found) expect(found.isLowLatency).toBe(isLowLatency);
});

let server: Server | undefined;
afterEach(() => server?.close());

/** A front with master playlists only. `get` resolves with status and text; 404 means that the engine would handle the path. */
async function open(deps: Partial<MultivariantDeps>) {
  const queried: string[] = [];
  let nowMs = 0;
  const playlists = new MultivariantPlaylists({
    engine: { isPublished: ({ app, stream }) => `${app}/${stream}` === 'live/x' },
    review: () => ({ allowed: true }),
    hasContexts: () => true,
    hasLowLatency: () => true,
    clock: () => nowMs,
    ...deps,
    query: async (key) => {
      queried.push(toStreamUrl(key));
      return deps.query?.(key, false);
    },
  });
  server = createServer((request, response) => {
    playlists
      .handle(request, response, '192.0.2.1')
      .then((isDone) => isDone || response.writeHead(404).end())
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const get = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    return { status: response.status, text: await response.text() };
  };
  return {
    get,
    queried,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}
const ready = async (): Promise<Multivariant> => ({ state: 'ready', variants: [variant] });

describe('a viewer that requests it', () => {
  it('gets its own context and keeps its query; the control plane is queried once a second', async () => {
    const { get, queried } = await open({ query: ready });
    const [one, other] = [await get('/live/x/master.m3u8?watch=w'), await get('/live/x/master.m3u8?watch=w')];
    expect(one.text).toMatch(/\.\.\/x~720p\.m3u8\?hls_ctx=v-[0-9a-f]{12}&watch=w\n$/);
    expect(one.text).not.toBe(other.text);
    expect(queried).toEqual(['live/x']);
  });

  it('gets no context when contexts are off, so that caches serve all', async () => {
    const { get } = await open({ query: ready, hasContexts: () => false });
    expect((await get('/live/x/master.m3u8')).text).toMatch(/x~720p\.m3u8\n$/);
  });

  it('gets low-latency playlists if available', async () => {
    let hasLowLatency = true;
    const { get } = await open({ query: ready, hasLowLatency: () => hasLowLatency });
    expect((await get('/live/x/master.ll.m3u8?watch=w')).text).toMatch(
      /\.\.\/x~720p\.ll\.m3u8\?hls_ctx=v-[0-9a-f]{12}&watch=w\n$/,
    );
    hasLowLatency = false;
    expect((await get('/live/x/master.ll.m3u8')).status).toBe(404);
  });

  it('is refused without playback authorization, before any query', async () => {
    const refused = { allowed: false, reason: 'link-missing', detail: 'no' } as const;
    const { get, queried } = await open({ query: ready, review: () => refused });
    expect((await get('/live/x/master.m3u8')).status).toBe(401);
    expect(queried).toEqual([]);
  });

  it('cannot cause queries about streams that are not live', async () => {
    const { get, queried } = await open({ query: ready });
    expect((await get('/live/other/master.m3u8')).status).toBe(404);
    expect(queried).toEqual([]);
  });

  it('gets the response of a stream of that name if there is one', async () => {
    const { get, queried } = await open({ query: ready, engine: { isPublished: () => true } });
    expect((await get('/live/x/master.m3u8')).status).toBe(404);
    expect(queried).toEqual([]);
  });

  it('gets the last response while the control plane is unavailable, and 503 without one', async () => {
    let isAway = true;
    const { get, pass } = await open({ query: async () => (isAway ? undefined : ready()) });
    expect((await get('/live/x/master.m3u8')).status).toBe(503);
    isAway = false;
    pass(1_001);
    expect((await get('/live/x/master.m3u8')).status).toBe(200);
    isAway = true;
    pass(30_000);
    expect((await get('/live/x/master.m3u8')).status).toBe(200);
    pass(61_000);
    expect((await get('/live/x/master.m3u8')).status).toBe(503);
  });

  it('waits while a ladder starts', async () => {
    let answer: Multivariant = { state: 'starting', variants: [] };
    const { get, queried } = await open({
      clock: () => performance.now(),
      everyMs: 5,
      query: async () => {
        const now = answer;
        answer = await ready();
        return now;
      },
    });
    expect((await get('/live/x/master.m3u8')).text).toContain('x~720p');
    expect(queried).toHaveLength(2);
  });

  it('the watch page gets the path of the playlist without starting a ladder', async () => {
    const peeks: boolean[] = [];
    const query = async (_key: unknown, isPeek: boolean) => {
      peeks.push(isPeek);
      return ready();
    };
    const playlists = new MultivariantPlaylists({
      ...{ query, hasContexts: () => true, hasLowLatency: () => true, review: () => ({ allowed: true }) },
      engine: { isPublished: ({ stream }) => stream !== 'gone' },
    });
    expect(await playlists.pathOf({ app: 'a/b', stream: '直' })).toBe('/a/b/%E7%9B%B4/master.m3u8');
    expect(await playlists.pathOf({ app: 'a/b', stream: 'gone' })).toBeUndefined();
    expect(peeks).toEqual([true]);
  });
});
