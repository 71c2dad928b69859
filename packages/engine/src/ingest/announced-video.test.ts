// HLS must not start with audio only if the publisher has announced video without a configuration.
import { TsChunks } from '@srs-stack/media/containers/mpegts/ts-chunks.ts';
import { TsMuxer } from '@srs-stack/media/containers/mpegts/ts-muxer.ts';
import type { Packet } from '@srs-stack/media/packet.ts';
import { parseAnnouncedMedia } from '@srs-stack/media/protocols/sdp/announced-media.ts';
import { aacTrack, audio, h264Track, keyframe, video } from '@srs-stack/media/testing/media.ts';
import { expect, it } from 'vitest';
import { Segmenter } from '../egress/hls/segmenter.ts';
import { StreamHub } from '../hub/stream-hub.ts';
import { publisherSession, RecordingReader, recordingLog } from '../testing/recorders.ts';
import { RtspPublisher } from './rtsp-publisher.ts';
import { TsPublisher } from './ts-publisher.ts';

function publish() {
  const config = {
    gopCache: { maxBytes: 1e6, maxDurationMs: 30_000 },
    takeoverSilenceMs: 3000,
    firstPacketTimeoutMs: 20_000,
    publisherTimeoutMs: 30_000,
  };
  const hub = new StreamHub({ config, log: recordingLog(), clock: () => 0 });
  const result = hub.publish(publisherSession(), { close: () => undefined }, 0);
  if (!result.ok) throw new Error(result.detail);
  return { hub, publication: result.publication, stream: result.publication.stream };
}

function segmentStarts({ hub, stream }: ReturnType<typeof publish>): string[] {
  const starts: string[] = [];
  let kind = '';
  const segmenter = new Segmenter(
    { fragmentSeconds: 2, aofRatio: 2 },
    {
      announced: () => stream.viewFor({}),
      handOverMs: () => 1_000,
      sink: { onSegmentStart: () => starts.push(kind), onSegmentData: () => undefined, onSegmentEnd: () => undefined },
    },
  );
  const onPacket = (packet: Packet): void => {
    kind = packet.track.kind;
    segmenter.push(packet);
  };
  hub.attach(stream.key, Object.assign(new RecordingReader(), { onPacket }));
  return starts;
}

/** MPEG-TS that has lost its first keyframe with the parameter sets. Audio starts 1.6 s before the next keyframe. */
function tsWithLateKeyframe(): Buffer {
  const muxer = new TsMuxer({ audioBatchMs: 0 });
  const chunks = new TsChunks();
  muxer.setTrack(h264Track, chunks);
  muxer.setTrack(aacTrack, chunks);
  muxer.writeTables(chunks);
  for (let timeMs = 0; timeMs < 2_400; timeMs += 40) {
    muxer.write(audio(timeMs), chunks);
    muxer.write(timeMs === 1_600 ? keyframe(timeMs) : video(timeMs), chunks);
  }
  return Buffer.concat(chunks.take());
}

it('MPEG-TS announces video by its program map', () => {
  const published = publish();
  const starts = segmentStarts(published);
  const publisher = new TsPublisher(published.publication, () => undefined);
  publisher.handlePayload(tsWithLateKeyframe());
  expect(starts).toEqual(['video']);
});

it('RTSP announces video by its description, without parameter sets', () => {
  const { publication, stream } = publish();
  const sections = ['m=video 0 RTP/AVP 96', 'a=rtpmap:96 H265/90000', 'm=audio 0 RTP/AVP 0'];
  new RtspPublisher(publication, parseAnnouncedMedia(['v=0', ...sections].join('\n')), 'tcp');
  expect([stream.video, stream.announcesVideo]).toEqual([undefined, true]);
});

it('RTMP announces video by its metadata, until the next publication', () => {
  const { hub, publication, stream } = publish();
  publication.setMetadata({ audiocodecid: 10 });
  expect(stream.announcesVideo).toBe(false);
  publication.setMetadata({ audiocodecid: 10, videocodecid: 7 });
  expect(stream.announcesVideo).toBe(true);
  hub.attach(stream.key, new RecordingReader());
  publication.end('unpublished');
  const next = hub.publish(publisherSession(), { close: () => undefined }, 0);
  expect(next.ok && next.publication.stream).toBe(stream);
  expect(stream.announcesVideo).toBe(false);
});
