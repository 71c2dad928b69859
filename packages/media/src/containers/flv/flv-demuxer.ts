// Converts FLV tag bodies or RTMP messages (equal bytes) to tracks, packets and metadata, with the publisher's unchanged timestamps.
import { audioTrackFromConfig } from '../../codecs/audio-track.ts';
import { videoTrackFromConfig } from '../../codecs/video-track.ts';
import type { Packet } from '../../packet.ts';
import type { StreamMetadata } from '../../stream-metadata.ts';
import type { AudioTrack, Track, VideoCodec, VideoTrack } from '../../track.ts';
import { type AudioBody, parseAudioBody } from './flv-audio-body.ts';
import { tagType } from './flv-format.ts';
import { parseVideoBody, type VideoBody } from './flv-video-body.ts';
import { NalVideo } from './nal-video.ts';
import { parseMetadata } from './script-data.ts';

/** Receives the output of the demuxer. */
export interface FlvDemuxerSink {
  setTrack(track: Track): void;
  setMetadata(metadata: StreamMetadata): void;
  push(packet: Packet): void;
}

export class FlvDemuxer {
  /** Number of frames that were dropped because of an empty payload or a missing configuration. */
  skippedFrames = 0;
  #video: VideoTrack | undefined;
  #audio: AudioTrack | undefined;
  readonly #others = { video: new Set<number>(), audio: new Set<number>() };
  readonly #nal = { h264: new NalVideo('h264'), h265: new NalVideo('h265') };
  readonly #sink: FlvDemuxerSink;

  constructor(sink: FlvDemuxerSink) {
    this.#sink = sink;
  }

  /**
   * Reads one message body. `type` is the tag or RTMP message type; types except 8, 9 and 18 are ignored. `timestampMs` is the sender's
   * clock, unsigned 32 bit. Keeps views of `body`, so `body` must not be modified afterwards. Throws `ProtocolError` for a malformed body,
   * and `UnsupportedCodecError` for an unsupported codec. Later messages can still be read.
   */
  read(type: number, body: Buffer, timestampMs: number): void {
    if (type === tagType.video) this.readVideo(body, timestampMs);
    else if (type === tagType.audio) this.readAudio(body, timestampMs);
    else if (type === tagType.script) this.readScript(body);
  }

  readVideo(body: Buffer, timestampMs: number): void {
    const parsed = parseVideoBody(body, this.#others.video);
    if (parsed?.kind === 'config') this.#setVideo(parsed);
    else if (parsed) this.#pushVideo(parsed, timestampMs);
  }

  readAudio(body: Buffer, timestampMs: number): void {
    const parsed = parseAudioBody(body, this.#others.audio);
    if (parsed?.kind === 'config') this.#setAudio(parsed);
    else if (parsed) this.#pushAudio(parsed, timestampMs);
  }

  has(kind: Track['kind']): boolean {
    return (kind === 'video' ? this.#video : this.#audio) !== undefined;
  }

  /** Number of dropped tracks of this kind, at most 255. The hub accepts one track per kind. */
  extraTracks(kind: Track['kind']): number {
    return this.#others[kind].size;
  }

  /** Reads onMetaData, with or without the `@setDataFrame` that publishers prepend. */
  readScript(body: Buffer): void {
    const metadata = parseMetadata(body);
    if (metadata) this.#sink.setMetadata(metadata);
  }

  #setVideo({ codec, data }: VideoBody): void {
    if (data.length === 0) return;
    const config = isNal(codec) ? this.#nal[codec].readConfig(data) : Buffer.from(data);
    if (config) this.#announceVideo(codec, config);
  }

  #announceVideo(codec: VideoCodec, config: Buffer): void {
    if (this.#video?.codec === codec && this.#video.config.equals(config)) return;
    this.#video = videoTrackFromConfig(codec, config);
    this.#sink.setTrack(this.#video);
  }

  #setAudio({ codec, data, hint }: AudioBody): void {
    if (this.#audio?.codec === codec && this.#audio.config.equals(data)) return;
    // Copies the configuration, because a view would keep the whole receive buffer for the lifetime of the stream.
    this.#audio = audioTrackFromConfig(codec, Buffer.from(data), hint);
    this.#sink.setTrack(this.#audio);
  }

  #pushVideo(body: VideoBody & { kind: 'frame' }, timestampMs: number): void {
    const { codec } = body;
    if (this.#video?.codec !== codec && (codec === 'vp8' || codec === 'vp9')) {
      this.#announceVideo(codec, Buffer.alloc(0));
    }
    const { payload, config } = isNal(codec)
      ? this.#nal[codec].readFrame(body.data)
      : { payload: body.data, config: undefined };
    if (config) this.#announceVideo(codec, config);
    const track = this.#video;
    if (track?.codec !== codec || payload.length === 0) {
      this.skippedFrames++;
      return;
    }
    const ptsMs = timestampMs + body.compositionMs;
    this.#sink.push({ track, dtsMs: timestampMs, ptsMs, payload, keyframe: body.keyframe });
  }

  #pushAudio(body: AudioBody, timestampMs: number): void {
    if (this.#audio?.codec !== body.codec && needsNoConfig(body.codec))
      this.#setAudio({ ...body, data: Buffer.alloc(0) });
    const track = this.#audio;
    if (track?.codec !== body.codec || body.data.length === 0) {
      this.skippedFrames++;
      return;
    }
    this.#sink.push({ track, dtsMs: timestampMs, ptsMs: timestampMs, payload: body.data, keyframe: true });
  }
}

function isNal(codec: VideoCodec): codec is 'h264' | 'h265' {
  return codec === 'h264' || codec === 'h265';
}

/** Codecs whose frames contain everything that a decoder needs. */
function needsNoConfig(codec: AudioTrack['codec']): boolean {
  return codec !== 'aac' && codec !== 'opus' && codec !== 'flac';
}
