import { describe, expect, it } from 'vitest';
import { createStreamSources } from './stream-sources.ts';

const defaultVhost = '__defaultVhost__';
function setUp() {
  const state = {
    active: [] as { vhost?: string; app: string; stream: string }[],
    reported: [] as { app: string; stream: string; hasMedia: boolean; vhost?: string; codec?: string; fps?: number }[],
    isAway: false,
    isSrs: false,
    hasHttp: true,
    queries: 0,
    nowMs: 0,
  };
  const sources = createStreamSources({
    activeStreams: { list: async () => state.active },
    mediaServer: {
      listStreams: async () => {
        state.queries += 1;
        if (state.isAway) throw new Error('away');
        return state.reported.map(({ app, stream, hasMedia, vhost = defaultVhost, codec, fps = 0 }) => ({
          vhost,
          app,
          stream,
          isPublished: true,
          video: codec === undefined ? null : { codec },
          audio: null,
          details: state.isSrs ? undefined : { hasMedia, fps },
        }));
      },
    },
    boundPorts: async () => ({ rtmp: 19_350, http: 20_220 }),
    components: { isEnabled: () => state.hasHttp },
    nowMs: () => state.nowMs,
  });
  const any = () => true;
  const choose = async (accepts: (stream: { app: string; stream: string }) => boolean = any) => {
    state.nowMs += 1_000;
    const choice = await sources.choose(accepts);
    return choice.kind === 'found' ? choice.source.address : choice.kind;
  };
  return { state, sources, choose };
}

describe('the source of a worker', () => {
  it('is read as MPEG-TS if it is HEVC and MPEG-TS is available', async () => {
    const { state, choose } = setUp();
    state.active = [{ app: 'live', stream: 'a+b' }];
    state.reported = [{ app: 'live', stream: 'a+b', hasMedia: true, codec: 'HEVC' }];
    expect(await choose()).toBe('http://127.0.0.1:20220/live/a%2Bb.ts');
    state.hasHttp = false;
    expect(await choose()).toBe('rtmp://127.0.0.1:19350/live/a+b');
    state.hasHttp = true;
    state.isSrs = true;
    expect(await choose()).toBe('rtmp://127.0.0.1:19350/live/a+b');
  });

  it('has video while frames arrive; on a server that does not count frames, while it has a video track', async () => {
    const { state, sources } = setUp();
    state.active = [{ app: 'live', stream: 'a' }];
    const source = {
      vhost: defaultVhost,
      app: 'live',
      stream: 'a',
      url: 'live/a',
      address: '',
      videoCodec: '',
      secrets: [],
    };
    const hasPicture = (change: Partial<typeof state>, stream: { codec?: string; fps?: number }) => {
      Object.assign(state, change, { nowMs: state.nowMs + 1_000 });
      state.reported = [{ app: 'live', stream: 'a', hasMedia: true, ...stream }];
      return sources.hasPicture(source);
    };
    expect(await hasPicture({}, { codec: 'H264', fps: 25 })).toBe(true);
    expect(await hasPicture({}, { codec: 'H264', fps: 0 })).toBe(false);
    expect(await hasPicture({ isSrs: true }, { codec: 'H264' })).toBe(true);
    expect(await hasPicture({ isSrs: true }, {})).toBe(false);
    expect(await hasPicture({ isAway: true }, { codec: 'H264' })).toBe(false);
  });

  it('is the newest stream that carries media', async () => {
    const { state, choose } = setUp();
    expect(await choose()).toBe('none');
    expect(state.queries).toBe(0);
    state.active = [
      { app: 'live', stream: 'new' },
      { app: 'live', stream: 'old' },
    ];
    state.reported = [
      { app: 'live', stream: 'new', hasMedia: false },
      { app: 'live', stream: 'old', hasMedia: true },
    ];
    expect(await choose()).toBe('rtmp://127.0.0.1:19350/live/old');
    state.reported[0] = { app: 'live', stream: 'new', hasMedia: true };
    expect(await choose()).toBe('rtmp://127.0.0.1:19350/live/new');
    expect(await choose(({ stream }) => stream === 'old')).toBe('rtmp://127.0.0.1:19350/live/old');
    expect(await choose(({ stream }) => stream === 'other')).toBe('none');
  });

  it('names another vhost', async () => {
    const { state, choose } = setUp();
    state.active = [{ vhost: 'a.example', app: 'live', stream: 's' }];
    state.reported = [{ vhost: 'a.example', app: 'live', stream: 's', hasMedia: true }];
    expect(await choose()).toBe('rtmp://127.0.0.1:19350/live/s?vhost=a.example');
  });

  it('is unknown while the media server is unavailable', async () => {
    const { state, choose } = setUp();
    state.active = [{ app: 'live', stream: 's' }];
    state.isAway = true;
    expect(await choose()).toBe('away');
  });

  it('is queried once for many workers', async () => {
    const { state, sources } = setUp();
    state.active = [{ app: 'live', stream: 's' }];
    await Promise.all(Array.from({ length: 20 }, () => sources.choose(() => true)));
    expect(state.queries).toBe(1);
  });
});
