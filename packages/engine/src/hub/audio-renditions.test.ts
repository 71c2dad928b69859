import { audioTrackFromConfig } from '@srs-stack/media/codecs/audio-track.ts';
import { writeOpusConfig } from '@srs-stack/media/codecs/opus.ts';
import type { AudioPacket } from '@srs-stack/media/packet.ts';
import { aacTrack, audio, keyframe, video } from '@srs-stack/media/testing/media.ts';
import type { AudioCodec, AudioTrack } from '@srs-stack/media/track.ts';
import { describe, expect, it } from 'vitest';
import { publisherSession, RecordingReader, recordingLog } from '../testing/recorders.ts';
import type { AudioBridge, AudioConversion, ConversionOrder, ConversionState } from './audio-bridge.ts';
import { StreamHub } from './stream-hub.ts';

const opusTrack = audioTrackFromConfig('opus', writeOpusConfig(2));
const config = {
  gopCache: { maxBytes: 1e6, maxDurationMs: 10_000 },
  takeoverSilenceMs: 3000,
  firstPacketTimeoutMs: 20_000,
  publisherTimeoutMs: 30_000,
};

class FakeBridge implements AudioBridge {
  readonly orders: ConversionOrder[] = [];
  readonly pushed: AudioPacket[] = [];
  readonly closed: AudioCodec[] = [];
  state: ConversionState = 'running';

  targetOf(source: AudioCodec, accepted: readonly AudioCodec[]): AudioCodec | undefined {
    if (source === 'flac') return undefined;
    const target = source === 'aac' ? 'opus' : 'aac';
    return accepted.includes(target) ? target : undefined;
  }

  convert(order: ConversionOrder): AudioConversion {
    this.orders.push(order);
    const bridge = this;
    return {
      track: this.#trackOf(order.target),
      get state() {
        return bridge.state;
      },
      push: (packet: AudioPacket) => this.pushed.push(packet),
      close: () => this.closed.push(order.target),
    };
  }

  deliver(dtsMs: number): void {
    const { target, onPacket } = this.orders.at(-1)!;
    onPacket(audio(dtsMs, { track: this.#trackOf(target) }));
  }

  #trackOf(codec: AudioCodec): AudioTrack {
    return codec === 'opus' ? opusTrack : aacTrack;
  }
}

class ChoosyReader extends RecordingReader {
  readonly acceptsAudio: readonly AudioCodec[];

  constructor(...acceptsAudio: AudioCodec[]) {
    super();
    this.acceptsAudio = acceptsAudio;
  }

  get audioCodecs(): string[] {
    return this.packets
      .filter(({ track }) => track.kind === 'audio')
      .map(({ track, dtsMs }) => `${track.codec} ${dtsMs}`);
  }
}

function start() {
  let now = 0;
  const bridge = new FakeBridge();
  const hub = new StreamHub({ config, log: recordingLog(), clock: () => now, bridge });
  const session = publisherSession();
  const result = hub.publish(session, { close: () => {} }, now);
  if (!result.ok) throw new Error(result.detail);
  const pass = (ms: number): void => {
    for (let left = ms; left > 0; left -= 250) {
      now += Math.min(250, left);
      hub.tick(now);
    }
  };
  return { bridge, hub, key: session, publication: result.publication, stream: hub.find(session)!, pass };
}

describe('audio that can be neither carried nor converted', () => {
  it('is logged once for each output, and shown in the details of the publisher', () => {
    const log = recordingLog();
    const hub = new StreamHub({ config, log, clock: () => 0, bridge: new FakeBridge() });
    const session = publisherSession();
    const result = hub.publish(session, { close: () => {}, stats: () => ({ detail: { rttMs: 5 } }) }, 0);
    if (!result.ok) throw new Error(result.detail);
    const flac = audioTrackFromConfig('flac', Buffer.alloc(34));
    for (const reader of [new ChoosyReader('aac'), new ChoosyReader('opus'), new RecordingReader()])
      hub.attach(session, reader);
    for (const packet of [keyframe(0), audio(5, { track: flac }), audio(25, { track: flac })])
      result.publication.push(packet);
    expect(log.lines).toEqual(['warn output has no audio because it does not support the audio codec']);
    expect(log.fields).toMatchObject([
      { app: session.app, stream: session.stream, codec: 'flac', output: 'recording' },
    ]);
    expect(hub.streams(0)[0]?.publisherDetail).toEqual({ rttMs: 5, unsupportedAudio: 'flac' });
    result.publication.push(audio(45));
    expect(hub.streams(0)[0]?.publisherDetail).toEqual({ rttMs: 5 });
  });

  it('is not reported while every output can carry it', () => {
    const log = recordingLog();
    const hub = new StreamHub({ config, log, clock: () => 0, bridge: new FakeBridge() });
    const session = publisherSession();
    const result = hub.publish(session, { close: () => {} }, 0);
    if (!result.ok) throw new Error(result.detail);
    hub.attach(session, new RecordingReader());
    result.publication.push(audio(5, { track: audioTrackFromConfig('flac', Buffer.alloc(34)) }));
    expect(log.lines).toEqual([]);
    expect(hub.streams(0)[0]?.publisherDetail).toBeUndefined();
  });
});

describe('a reader that accepts some audio codecs only', () => {
  it('gets the publisher’s audio when it accepts that codec, and no conversion runs', () => {
    const { bridge, hub, key, publication } = start();
    const reader = new ChoosyReader('mp3', 'aac');
    hub.attach(key, reader);
    for (const packet of [keyframe(0), audio(5)]) publication.push(packet);
    expect(reader.audioCodecs).toEqual(['aac 5']);
    expect(bridge.orders).toEqual([]);
  });

  it('gets converted audio and none of the publisher’s; others get the publisher’s', () => {
    const { bridge, hub, key, publication } = start();
    const [choosy, second, any] = [new ChoosyReader('opus'), new ChoosyReader('opus'), new RecordingReader()];
    for (const reader of [choosy, second, any]) hub.attach(key, reader);
    for (const packet of [keyframe(0), audio(5), video(40)]) publication.push(packet);
    bridge.deliver(4);
    expect(choosy.audioCodecs).toEqual(['opus 4']);
    expect(choosy.times('video')).toEqual([0, 40]);
    expect(second.audioCodecs).toEqual(['opus 4']);
    expect(any.times('audio')).toEqual([5]);
    expect(bridge.orders).toHaveLength(1);
    expect(bridge.pushed.map(({ dtsMs }) => dtsMs)).toEqual([5]);
  });

  it('finds the audio converted since the last keyframe in the GOP cache', () => {
    const { bridge, hub, key, publication } = start();
    hub.attach(key, new ChoosyReader('opus'));
    for (const packet of [keyframe(0), audio(5)]) publication.push(packet);
    bridge.deliver(4);
    const [late, any] = [new ChoosyReader('opus'), new RecordingReader()];
    hub.attach(key, late, { fromGopCache: true });
    hub.attach(key, any, { fromGopCache: true });
    expect(late.audioCodecs).toEqual(['opus 4']);
    expect(any.times('audio')).toEqual([5]);
  });

  it('waits four times as long for a converter that is starting as for a failing one', () => {
    const { bridge, hub, key, publication, stream } = start();
    const reader = new ChoosyReader('opus');
    bridge.state = 'starting';
    hub.attach(key, reader);
    for (const packet of [keyframe(0), audio(5), video(1200)]) publication.push(packet);
    const { mediaMs } = stream.viewFor(reader);
    expect(mediaMs).toBe(300);
    bridge.state = 'waiting';
    expect(stream.viewFor(reader).mediaMs).toBe(1200);
    bridge.deliver(1190);
    expect(stream.viewFor(reader).mediaMs).toBe(1200);
  });

  it('sees the converted track in its view once it exists, without the publisher’s audio metadata', () => {
    const { bridge, hub, key, publication, stream } = start();
    const reader = new ChoosyReader('opus');
    hub.attach(key, reader);
    publication.setMetadata({ width: 64, audiocodecid: 10, stereo: true });
    for (const packet of [keyframe(0), audio(500)]) publication.push(packet);
    const view = stream.viewFor(reader);
    expect(view.audio).toBe(opusTrack);
    expect(view.present.audio).toBeUndefined();
    bridge.deliver(490);
    expect(view.present).toMatchObject({ audio: opusTrack, video: { codec: 'h264' } });
    expect(view.metadata).toEqual({ width: 64 });
    expect(stream.viewFor({}).present.audio).toBe(aacTrack);
    expect(hub.streams(0)[0]?.audioConversions).toEqual([{ from: 'aac', to: 'opus', state: 'running' }]);
  });

  it('gets no track when the converter is missing', () => {
    const { bridge, hub, key, publication, stream } = start();
    bridge.state = 'missing';
    const reader = new ChoosyReader('opus');
    hub.attach(key, reader);
    for (const packet of [keyframe(0), audio(5), video(40)]) publication.push(packet);
    expect(stream.viewFor(reader)).toMatchObject({ audio: undefined, present: { audio: undefined } });
    expect(reader.times()).toEqual([0, 40]);
  });

  it('gets video only when no converter supports its codec', () => {
    const { bridge, hub, key, publication } = start();
    const reader = new ChoosyReader('flac');
    hub.attach(key, reader);
    for (const packet of [keyframe(0), audio(5), video(40)]) publication.push(packet);
    expect(reader.times()).toEqual([0, 40]);
    expect(bridge.orders).toEqual([]);
  });
});

describe('a conversion', () => {
  it('ends after five seconds without a reader', () => {
    const { bridge, hub, key, publication, pass } = start();
    const subscription = hub.attach(key, new ChoosyReader('opus'));
    publication.push(audio(0));
    subscription.detach();
    pass(4000);
    const again = hub.attach(key, new ChoosyReader('opus'));
    pass(10_000);
    expect(bridge.closed).toEqual([]);
    again.detach();
    pass(5250);
    expect(bridge.closed).toEqual(['opus']);
    expect(bridge.orders).toHaveLength(1);
  });

  it('ends with its publication and restarts with the next', () => {
    const { bridge, hub, key, publication } = start();
    hub.attach(key, new ChoosyReader('opus'));
    publication.push(audio(0));
    publication.end('unpublished');
    expect(bridge.closed).toEqual(['opus']);
    const next = hub.publish(key, { close: () => {} }, 0);
    if (next.ok) next.publication.push(audio(0));
    expect(bridge.orders).toHaveLength(2);
  });

  it('is replaced when the publisher changes its configuration, and not needed when the codec matches', () => {
    const { bridge, hub, key, publication } = start();
    const reader = new ChoosyReader('opus');
    hub.attach(key, reader);
    publication.push(audio(0));
    publication.push(audio(20, { track: audioTrackFromConfig('aac', Buffer.from('1210', 'hex')) }));
    expect(bridge.closed).toEqual(['opus']);
    expect(bridge.orders.map(({ source }) => source.sampleRate)).toEqual([48_000, 44_100]);
    publication.push(audio(40, { track: opusTrack }));
    expect(bridge.closed).toEqual(['opus', 'opus']);
    expect(reader.audioCodecs).toEqual(['opus 40']);
  });
});
