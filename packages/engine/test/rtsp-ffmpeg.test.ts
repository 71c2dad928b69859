import { provesPassword } from '@srs-stack/media/protocols/rtsp/digest-proof.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEngine, type Engine, type SessionInfo, type Verdict } from '../src/index.ts';
import { recordingLog } from '../src/testing/recorders.ts';
import { audioArgs, videoArgs } from './clips.ts';
import { ffmpeg, type RunningProcess, start, testConfig, until } from './rtmp-server.ts';

let engine: Engine;
let port: number;
let hostCalls: SessionInfo[] = [];
let verdictOf: (session: SessionInfo) => Verdict = () => ({ allowed: true });
const running: RunningProcess[] = [];

beforeEach(async () => {
  hostCalls = [];
  verdictOf = () => ({ allowed: true });
  const authorize = async (session: SessionInfo): Promise<Verdict> => {
    hostCalls.push(session);
    return verdictOf(session);
  };
  const listen = { host: '127.0.0.1', port: 0 };
  engine = createEngine(
    { ...testConfig, rtsp: { ...listen, udp: listen } },
    {
      log: recordingLog(),
      isValidStream: ({ app, stream }) => app !== '' && stream !== '',
      authorizePublish: authorize,
      authorizePlay: authorize,
      onUnpublish: () => {},
      onStop: () => {},
      onHlsSegment: () => {},
    },
  );
  port = (await engine.start()).rtspPort!;
});

afterEach(async () => {
  for (const { kill, done } of running.splice(0)) {
    kill();
    await done;
  }
  await engine.close();
});

const url = (rest = 'live/s', login = '') => `rtsp://${login}127.0.0.1:${port}/${rest}`;
const streamOf = () => engine.streams().find(({ stream }) => stream === 's');

function publish(to: string, options: string[], transport = 'tcp'): RunningProcess {
  const process = ffmpeg('-re', ...options, '-f', 'rtsp', '-rtsp_transport', transport, to);
  running.push(process);
  return process;
}

async function decode(transport: string): Promise<{ code: number | null; video: number; audioFrames: number }> {
  const player = ffmpeg('-rtsp_transport', transport, '-i', url(), '-t', '2', '-f', 'framecrc', '-');
  running.push(player);
  const { code, stdout } = await player.done;
  const framesOf = (track: number): number => stdout.split('\n').filter((line) => line.startsWith(`${track},`)).length;
  return { code, video: framesOf(0), audioFrames: framesOf(1) };
}

const testVideo = [...videoArgs.input];
const encoded = (audio: string[]) => [
  ...testVideo,
  ...audioArgs('stereo', 48_000).input,
  ...videoArgs.output,
  ...audio,
];

describe.each(['tcp', 'udp'])('over %s', (transport) => {
  it.each([
    ['AAC', ['-c:a', 'aac']],
    ['Opus', ['-c:a', 'libopus']],
    ['MP3', ['-c:a', 'libmp3lame']],
    ['G.711', ['-c:a', 'pcm_alaw', '-ar', '8000', '-ac', '1']],
  ])('H.264 with B-frames and %s is published and played completely', async (_name, audio) => {
    publish(url(), encoded(audio), transport);
    await until(() => streamOf()?.video !== undefined && streamOf()?.audio !== undefined);
    const { code, video, audioFrames } = await decode(transport);
    expect(code).toBe(0);
    expect(video).toBeGreaterThan(40);
    expect(audioFrames).toBeGreaterThan(20);
  });

  it('HEVC is published and played', async () => {
    const hevc = [
      '-c:v',
      'libx265',
      '-preset',
      'ultrafast',
      '-x265-params',
      'log-level=none:keyint=25',
      '-pix_fmt',
      'yuv420p',
    ];
    publish(url(), [...testVideo, ...hevc], transport);
    await until(() => streamOf()?.video !== undefined);
    const { code, video } = await decode(transport);
    expect(code).toBe(0);
    expect(video).toBeGreaterThan(40);
  });
});

describe('authorization', () => {
  const needsSecret = (session: SessionInfo): Verdict =>
    session.type !== 'rtsp-publish' ||
    new URLSearchParams(session.param).get('secret') === 'key' ||
    (session.digest && provesPassword(session.digest, 'key'))
      ? { allowed: true }
      : { allowed: false, reason: 'publish-secret-wrong', detail: 'the publish secret is wrong' };

  it.each([
    ['as a query', () => url('live/s?secret=key')],
    ['as the password of Digest', () => url('live/s', 'user:key@')],
  ])('the publish secret is accepted %s', async (_name, address) => {
    verdictOf = needsSecret;
    publish(address(), encoded(['-c:a', 'aac']));
    await until(() => streamOf()?.video !== undefined);
    expect(engine.refusals()).toEqual([]);
    expect(hostCalls.at(-1)).toMatchObject({ type: 'rtsp-publish', app: 'live', stream: 's' });
  });

  it.each([
    ['no secret', () => url()],
    ['a wrong password', () => url('live/s', 'user:other@')],
  ])('a publisher with %s is refused, and listed once', async (_name, address) => {
    verdictOf = needsSecret;
    const { code, stderr } = await publish(address(), encoded(['-c:a', 'aac'])).done;
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/401/);
    await until(() => engine.refusals().length > 0);
    expect(engine.refusals()).toMatchObject([{ protocol: 'rtsp', action: 'publish', reason: 'publish-secret-wrong' }]);
  });

  it('GStreamer authenticates by Digest', async () => {
    verdictOf = needsSecret;
    const source = ['videotestsrc', 'is-live=true', '!', 'video/x-raw,width=320,height=180,framerate=25/1', '!'];
    const encoder = ['x264enc', 'tune=zerolatency', 'speed-preset=ultrafast', 'key-int-max=25', '!', 'h264parse', '!'];
    const login = ['user-id=user', 'user-pw=key', `location=${url()}`];
    running.push(start('gst-launch-1.0', ['-q', ...source, ...encoder, 'rtspclientsink', 'protocols=tcp', ...login]));
    await until(() => streamOf()?.video !== undefined);
    expect(hostCalls.at(-1)).toMatchObject({ type: 'rtsp-publish', digest: { user: 'user', realm: 'SRS Stack' } });
    expect(hostCalls.at(-1)?.param).toBe('');
    expect(engine.refusals()).toEqual([]);
  });

  it('a viewer without playback authorization is refused', async () => {
    verdictOf = ({ type }) =>
      type === 'rtsp-play' ? { allowed: false, reason: 'callback-refused', detail: 'no' } : { allowed: true };
    publish(url(), encoded(['-c:a', 'aac']));
    await until(() => streamOf()?.video !== undefined);
    const { code, stderr } = await ffmpeg('-rtsp_transport', 'tcp', '-i', url(), '-f', 'null', '-').done;
    expect([code === 0, stderr]).toEqual([false, expect.stringMatching(/403/)]);
  });

  it('a publisher and a viewer can be kicked', async () => {
    const publisher = publish(url(), encoded(['-c:a', 'aac']));
    await until(() => streamOf()?.video !== undefined);
    const viewer = ffmpeg('-rtsp_transport', 'tcp', '-i', url(), '-f', 'null', '-');
    running.push(viewer);
    await until(() => engine.clients().some(({ session }) => session.type === 'rtsp-play'));
    for (const type of ['rtsp-play', 'rtsp-publish']) {
      const client = engine.clients().find(({ session }) => session.type === type);
      expect(engine.kick(client!.session.clientId)).toBe(true);
    }
    await Promise.all([viewer.done, publisher.done]);
    expect(engine.clients()).toEqual([]);
  });
});

it('a codec that cannot be carried is refused with an error message', async () => {
  const { code, stderr } = await publish(url(), [...testVideo, '-pix_fmt', 'yuvj420p', '-c:v', 'mjpeg']).done;
  expect([code === 0, stderr]).toEqual([false, expect.stringMatching(/415/)]);
  expect(engine.refusals()).toMatchObject([
    { reason: 'codec-unsupported', detail: expect.stringMatching(/^media not supported over RTSP .JPEG/) },
  ]);
});

it.each(['tcp', 'udp'])('GStreamer publishes and plays over %s', async (transport) => {
  const videoSource = ['videotestsrc', 'is-live=true', '!', 'video/x-raw,width=320,height=180,framerate=25/1', '!'];
  const encoder = ['x264enc', 'tune=zerolatency', 'speed-preset=ultrafast', 'key-int-max=25', '!', 'h264parse', '!'];
  const sink = ['rtspclientsink', `protocols=${transport}`, 'latency=0', `location=${url()}`];
  running.push(start('gst-launch-1.0', ['-q', ...videoSource, ...encoder, ...sink]));
  await until(() => streamOf()?.video !== undefined);
  const pipeline = [
    'rtspsrc',
    `location=${url()}`,
    `protocols=${transport}`,
    '!',
    'rtph264depay',
    '!',
    'h264parse',
    '!',
  ];
  const player = start('gst-launch-1.0', ['-q', ...pipeline, 'identity', 'eos-after=30', '!', 'fakesink']);
  running.push(player);
  const { code, stderr } = await player.done;
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.any(String) });
});
