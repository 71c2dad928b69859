// Passes RTP packets of an RTSP publisher to its publication. Time is a parameter. Independent of sockets and authorization.
import { parseAacConfig } from '@srs-stack/media/codecs/aac.ts';
import { audioTrackFromConfig } from '@srs-stack/media/codecs/audio-track.ts';
import { parseMp3Header } from '@srs-stack/media/codecs/mp3.ts';
import { ProtocolError } from '@srs-stack/media/protocol-error.ts';
import {
  AacDepacketizer,
  type AudioDepacketizer,
  MpegAudioDepacketizer,
  PlainDepacketizer,
} from '@srs-stack/media/protocols/rtp/audio-payloads.ts';
import { parseRtcp } from '@srs-stack/media/protocols/rtp/rtcp.ts';
import { RtpClock } from '@srs-stack/media/protocols/rtp/rtp-clock.ts';
import { parseRtpPacket, type RtpPacket } from '@srs-stack/media/protocols/rtp/rtp-packet.ts';
import { RtpReorderBuffer } from '@srs-stack/media/protocols/rtp/rtp-reorder-buffer.ts';
import type { AnnouncedMedia } from '@srs-stack/media/protocols/sdp/announced-media.ts';
import type { AudioTrack } from '@srs-stack/media/track.ts';
import type { Publication } from '../hub/stream-hub.ts';
import type { StreamEndReason } from '../hub/stream-reader.ts';
import type { LeftOutMedia } from './left-out-media.ts';
import { RtpAv1Video } from './rtp-av1-video.ts';
import { RtpNalVideo, type RtpNalVideoOptions } from './rtp-nal-video.ts';

/** Maximum wait for reordered packets after a gap, milliseconds. Packets over TCP are never reordered. */
const reorderLimits = { udp: { maxWaitMs: 100, maxPackets: 512 }, tcp: { maxWaitMs: 0, maxPackets: 0 } } as const;

type SupportedMedia = Exclude<AnnouncedMedia, { kind: 'unsupported' }>;

interface Source {
  readonly media: SupportedMedia;
  readonly reorder: RtpReorderBuffer;
  readonly clock: RtpClock;
  readonly take: (packet: RtpPacket, afterGap: boolean, now: number) => void;
}

export class RtspPublisher {
  readonly unsupported: LeftOutMedia;
  readonly #publication: Publication;
  readonly #transport: 'tcp' | 'udp';
  /** Sources by the index of their media in the description; undefined for unused media. A stream has one video and one audio track. */
  readonly #sources: readonly (Source | undefined)[];
  /** Media time minus the encoder's wall clock, milliseconds; set by the first sender report. */
  #wallToMediaMs: number | undefined;

  constructor(publication: Publication, announced: readonly AnnouncedMedia[], transport: 'tcp' | 'udp') {
    this.#publication = publication;
    this.#transport = transport;
    this.unsupported = unsupportedOf(announced);
    const isFirstOfKind = (media: AnnouncedMedia): boolean =>
      announced.find(({ kind }) => kind === media.kind) === media;
    if (announced.some(({ kind }) => kind === 'video')) publication.expectVideo();
    this.#sources = announced.map((media) => {
      if (media.kind === 'unsupported' || !isFirstOfKind(media)) return undefined;
      const clock = new RtpClock(media.clockRate);
      return {
        media,
        clock,
        reorder: new RtpReorderBuffer(reorderLimits[transport]),
        take: this.#readerOf(media, clock),
      };
    });
  }

  get lostPackets(): number {
    return this.#sources.reduce((sum, source) => sum + (source?.reorder.lostPackets ?? 0), 0);
  }

  /** Processes a packet of the media with this index in the description. Malformed packets are dropped and counted. */
  handlePacket(index: number, isRtcp: boolean, datagram: Buffer, now: number): void {
    const source = this.#sources[index];
    if (!source) return;
    this.#publication.countReceived(datagram.length);
    try {
      if (isRtcp) this.#handleRtcp(source, datagram, now);
      else this.#handleRtp(source, datagram, now);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      this.#publication.countDropped(source.media.kind);
    }
  }

  /** Call at least twice a second; skips gaps after their timeout. */
  tick(now: number): void {
    for (const source of this.#sources) if (source) this.#use(source, source.reorder.tick(now), now);
  }

  end(reason: StreamEndReason): void {
    this.#publication.end(reason);
  }

  #handleRtp(source: Source, datagram: Buffer, now: number): void {
    const packet = parseRtpPacket(datagram);
    if (packet.payloadType !== source.media.payloadType) return;
    // Copies the payload, because the datagram is a view of a read buffer. Video over TCP is copied into its frame immediately, but packets
    // over UDP may wait for other packets.
    const isCopied = this.#transport === 'tcp' && source.media.kind === 'video';
    const own = isCopied ? packet : { ...packet, payload: Buffer.from(packet.payload) };
    this.#use(source, source.reorder.push(own, now), now);
  }

  #use(source: Source, ready: ReturnType<RtpReorderBuffer['push']>, now: number): void {
    for (const { packet, afterGap } of ready) source.take(packet, afterGap, now);
  }

  #handleRtcp({ clock }: Source, datagram: Buffer, now: number): void {
    for (const item of parseRtcp(datagram)) {
      if (item.kind !== 'sender-report' || item.ntpMs <= 0) continue;
      // The first report sets the offset between wall clock and media time. The second track is aligned by its own report.
      this.#wallToMediaMs ??= clock.toMs(item.rtpTimestamp, now) - item.ntpMs;
      clock.synchronise(item.ntpMs, item.rtpTimestamp, this.#wallToMediaMs);
    }
  }

  #readerOf(media: SupportedMedia, clock: RtpClock): Source['take'] {
    return media.kind === 'video' ? this.#videoReader(media, clock) : this.#audioReader(media, clock);
  }

  #videoReader({ codec, track }: Extract<AnnouncedMedia, { kind: 'video' }>, clock: RtpClock): Source['take'] {
    const publication = this.#publication;
    const events: Pick<RtpNalVideoOptions, 'onTrack' | 'onPacket'> = {
      onTrack: (newTrack) => publication.setTrack(newTrack),
      onPacket: (packet) => publication.push(packet),
    };
    const video = codec === 'av1' ? new RtpAv1Video(events) : new RtpNalVideo({ codec, track, ...events });
    return (packet, afterGap, now) => video.push(packet, afterGap, (timestamp) => clock.toMs(timestamp, now));
  }

  #audioReader(media: Extract<AnnouncedMedia, { kind: 'audio' }>, clock: RtpClock): Source['take'] {
    const publication = this.#publication;
    const depacketizer = depacketizerOf(media);
    let { track } = media;
    if (track.codec !== 'mp3') publication.setTrack(track);
    return (packet, afterGap, now) => {
      if (afterGap) depacketizer.onGap();
      for (const { payload, timestamp } of depacketizer.push(packet)) {
        if (track.codec === 'mp3' || track.codec === 'mp2') track = mpegTrack(track, payload);
        const timeMs = clock.toMs(timestamp, now);
        publication.push({ track, dtsMs: timeMs, ptsMs: timeMs, keyframe: true, payload });
      }
    };
  }
}

function depacketizerOf({ track, auHeader, clockRate }: Extract<AnnouncedMedia, { kind: 'audio' }>): AudioDepacketizer {
  if (auHeader) {
    const aac = parseAacConfig(track.config);
    const seconds = aac ? aac.frameSamples / aac.coreSampleRate : 0;
    return new AacDepacketizer(auHeader, Math.round(seconds * clockRate));
  }
  return track.codec === 'mp3' ? new MpegAudioDepacketizer() : new PlainDepacketizer();
}

/** Only the frames of MPEG audio contain layer, sample rate and channels. */
function mpegTrack(track: AudioTrack, frame: Buffer): AudioTrack {
  const header = parseMp3Header(frame);
  if (!header) return track;
  const codec = header.layer === 3 ? 'mp3' : 'mp2';
  const { sampleRate, channels } = header;
  const isSame = track.codec === codec && track.sampleRate === sampleRate && track.channels === channels;
  return isSame ? track : audioTrackFromConfig(codec, Buffer.alloc(0), { sampleRate, channels });
}

function unsupportedOf(announced: readonly AnnouncedMedia[]): LeftOutMedia {
  const named = announced.filter((media) => media.kind === 'unsupported');
  const video = named.find(({ isVideo }) => isVideo)?.name;
  const audio = named.find(({ isVideo }) => !isVideo)?.name;
  return { ...(video && { unsupportedVideo: video }), ...(audio && { unsupportedAudio: audio }) };
}
