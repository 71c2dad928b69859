// Media formats: codec configurations, FLV bodies, MPEG-TS, recording segments.
import { parseAacConfig } from '@srs-stack/media/codecs/aac.ts';
import { parseAdtsHeader } from '@srs-stack/media/codecs/adts.ts';
import { audioTrackFromConfig } from '@srs-stack/media/codecs/audio-track.ts';
import { isH264Keyframe } from '@srs-stack/media/codecs/h264.ts';
import { parseH264Config } from '@srs-stack/media/codecs/h264-config.ts';
import { parseH264Sps } from '@srs-stack/media/codecs/h264-sps.ts';
import { isH265Keyframe } from '@srs-stack/media/codecs/h265.ts';
import { parseH265Config } from '@srs-stack/media/codecs/h265-config.ts';
import { parseH265Sps } from '@srs-stack/media/codecs/h265-sps.ts';
import { parseMp3Header } from '@srs-stack/media/codecs/mp3.ts';
import { splitAnnexB, splitLengthPrefixed, unescapeNalUnit } from '@srs-stack/media/codecs/nal-units.ts';
import { opusPacketDurationUs, parseOpusConfig } from '@srs-stack/media/codecs/opus.ts';
import { videoTrackFromConfig } from '@srs-stack/media/codecs/video-track.ts';
import { FlvDemuxer } from '@srs-stack/media/containers/flv/flv-demuxer.ts';
import { toFlvMessage, toFlvTag } from '@srs-stack/media/containers/flv/flv-muxer.ts';
import { parsePat, parsePmt } from '@srs-stack/media/containers/mpegts/program-tables.ts';
import { TsChunks } from '@srs-stack/media/containers/mpegts/ts-chunks.ts';
import { TsDemuxer } from '@srs-stack/media/containers/mpegts/ts-demuxer.ts';
import { TsMuxer } from '@srs-stack/media/containers/mpegts/ts-muxer.ts';
import { parseTsDatagram } from '@srs-stack/media/protocols/ts-udp/ts-datagram.ts';
import { fittingExtension } from '../../packages/platform/src/files/media-kind.ts';
import { readSegmentMedia } from '../../packages/platform/src/recording/segments/segment-media.ts';
import { codecConfigs, enhancedBodies, flvBodies, transportStream } from '../seeds.ts';
import { type FuzzTarget, parserTarget, piecesOf } from '../target.ts';

const media = [...flvBodies, ...enhancedBodies];
const unsupported = ['ProtocolError', 'UnsupportedCodecError'];

/** Runs every parser, also when an earlier parser refuses the input. */
function each(input: Buffer, ...parsers: ((input: Buffer) => unknown)[]): void {
  for (const parse of parsers) {
    try {
      parse(input);
    } catch (error) {
      if ((error as Error).name !== 'ProtocolError') throw error;
    }
  }
}

export const containerTargets: FuzzTarget[] = [
  parserTarget({
    name: 'ts-datagrams',
    seeds: [
      transportStream.subarray(0, 1_316),
      Buffer.concat([Buffer.from('802100070000000000000001', 'hex'), transportStream.subarray(0, 1_316)]),
    ],
    parse: parseTsDatagram,
  }),
  parserTarget({
    name: 'codecs',
    seeds: codecConfigs,
    parse: (input) =>
      each(
        input,
        ...[parseAacConfig, parseAdtsHeader, parseMp3Header, parseOpusConfig, opusPacketDurationUs],
        ...[parseH264Config, parseH264Sps, parseH265Config, parseH265Sps, unescapeNalUnit, splitAnnexB],
        ...[splitLengthPrefixed, isH264Keyframe, isH265Keyframe],
        ...(['h264', 'h265', 'av1', 'vp9'] as const).map(
          (codec) => (bytes: Buffer) => videoTrackFromConfig(codec, bytes),
        ),
        ...(['aac', 'opus', 'mp3'] as const).map((codec) => (bytes: Buffer) => audioTrackFromConfig(codec, bytes)),
      ),
  }),
  parserTarget({
    name: 'flv',
    seeds: media,
    refusals: unsupported,
    parse(input) {
      const demuxer = new FlvDemuxer({
        setTrack: () => {},
        setMetadata: () => {},
        push: (packet) => void toFlvTag(toFlvMessage(packet)),
      });
      // The sequence headers come first, because frames without a sequence header would be dropped.
      for (const body of [media[0], media[1], input] as Buffer[]) demuxer.read(body[0] ?? 0, body.subarray(1), 40);
    },
  }),
  parserTarget({
    name: 'mpegts',
    seeds: [transportStream, transportStream.subarray(0, 188 * 5)],
    refusals: unsupported,
    parse(input) {
      const muxer = new TsMuxer({ audioBatchMs: 100 });
      const sink = new TsChunks();
      const demuxer = new TsDemuxer({ onTrack: () => {}, onPacket: (packet) => muxer.write(packet, sink) });
      for (const piece of piecesOf(input)) demuxer.push(piece);
      demuxer.end();
      muxer.flush(sink);
    },
  }),
  parserTarget({
    name: 'mpegts-tables',
    seeds: [transportStream.subarray(5, 188), transportStream.subarray(188 + 5, 376)],
    parse: (input) => each(input, parsePat, parsePmt),
  }),
  parserTarget({ name: 'record-segment', seeds: [transportStream], parse: (input) => readSegmentMedia(input) }),
  parserTarget({
    name: 'media-kind',
    seeds: [transportStream.subarray(0, 1_024), ...codecConfigs],
    parse: (input) => fittingExtension(input, '.mp4'),
  }),
];
