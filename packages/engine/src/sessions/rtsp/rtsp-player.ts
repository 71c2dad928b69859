// The player's side of an RTSP session: DESCRIBE, SETUP, PLAY and PAUSE. The host is called once, for the first request that names the
// stream. Players of a stream with an equal selection of tracks share one broadcast.
import type { Socket } from 'node:net';
import type { RtspRequest, RtspResponse } from '@srs-stack/media/protocols/rtsp/rtsp-message.ts';
import { trackOfUrl } from '@srs-stack/media/protocols/rtsp/rtsp-url.ts';
import type { RtspTransport } from '@srs-stack/media/protocols/rtsp/transport-header.ts';
import { trackNumber, writeStreamDescription } from '@srs-stack/media/protocols/sdp/stream-description.ts';
import type { Track } from '@srs-stack/media/track.ts';
import type { SendDatagrams } from '@srs-stack/rtc';
import { BroadcastViewer } from '../../egress/broadcast/broadcast-viewer.ts';
import type { Broadcasts } from '../../egress/broadcast/broadcasts.ts';
import type { StreamBroadcast } from '../../egress/broadcast/stream-broadcast.ts';
import { hasRtspTracks, interleavedChannel } from '../../egress/rtsp/rtsp-broadcast-format.ts';
import type { PlayerHandle, Stream } from '../../hub/stream-hub.ts';
import type { StreamView } from '../../hub/stream-view.ts';
import type { AdmittedPlay } from '../gate/admitted-play.ts';
import { chooseTransport } from './choose-transport.ts';
import { type RtspContext, type RtspRole, sessionTimeoutSeconds } from './rtsp-context.ts';
import { textResponse } from './rtsp-refusal.ts';
import { UdpViewerSocket } from './udp-viewer-socket.ts';

/** Time for which DESCRIBE and SETUP wait for the tracks of a new stream, milliseconds. */
const tracksWaitMs = 5_000;
const tracksLookMs = 50;
/** A player that resumes after PAUSE gets the frames since the last keyframe again, at most once in this time, milliseconds. */
const replayMs = 1_000;

type Kind = Track['kind'];

export interface RtspPlayerOptions {
  readonly context: RtspContext;
  readonly socket: Socket;
  readonly sessionId: string;
  readonly ip: string;
  readonly play: AdmittedPlay;
  readonly stream: Stream;
  readonly onEnd: () => void;
  readonly onUse: (isUsed: boolean) => void;
}

interface Playing {
  readonly handle: PlayerHandle;
  readonly broadcasts: Broadcasts;
  readonly broadcast: StreamBroadcast;
  readonly viewer: BroadcastViewer;
  readonly udp: UdpViewerSocket | undefined;
}

export class RtspPlayer implements RtspRole {
  readonly #options: RtspPlayerOptions;
  readonly #view: StreamView;
  readonly #transports = new Map<Kind, RtspTransport>();
  /**
   * Tracks of the last DESCRIBE response, or of the stream at the first SETUP without DESCRIBE. The player ends when the stream changes to
   * another codec.
   */
  #described: readonly Track[] | undefined;
  #playing: Playing | undefined;
  #mayStart = false;
  #startedAtMs = Number.NEGATIVE_INFINITY;
  #replay: NodeJS.Timeout | undefined;
  #hasEnded = false;
  /** Keeps the audio converter running between DESCRIBE and PLAY. */
  readonly #held: StreamBroadcast;

  constructor(options: RtspPlayerOptions) {
    this.#options = options;
    const { stream, context } = options;
    this.#held = context.broadcasts.both.of(stream);
    this.#view = stream.viewFor(this.#held);
  }

  get isActive(): boolean {
    return this.#playing !== undefined;
  }

  /** True when media is sent over UDP, which does not detect a disconnected receiver. */
  get usesDatagrams(): boolean {
    return this.#playing?.udp !== undefined;
  }

  handle(request: RtspRequest): Promise<RtspResponse> | RtspResponse | undefined {
    switch (request.method) {
      case 'DESCRIBE':
        return this.#whenTracksKnown(() => this.#describe(request));
      case 'SETUP':
        return this.#whenTracksKnown(() => this.#setUp(request));
      case 'PLAY':
        return this.#play();
      case 'PAUSE':
        this.#stop();
        return { status: 200, headers: this.#sessionHeader };
      default:
        return undefined;
    }
  }

  onFrame(): void {
    // Players send only receiver reports. The session has already recorded the activity of the peer.
  }

  afterResponse(): void {
    if (this.#mayStart) this.#start();
  }

  tick(): void {
    if (this.#described && this.#playing && this.#hasOtherCodecs(this.#described)) this.#options.onEnd();
  }

  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearTimeout(this.#replay);
    this.#stop();
    this.#options.context.broadcasts.both.release(this.#options.stream, this.#held);
    this.#options.play.end();
  }

  get #sessionHeader(): Record<string, string> {
    return { Session: `${this.#options.sessionId};timeout=${sessionTimeoutSeconds}` };
  }

  #describe({ url }: RtspRequest): RtspResponse {
    const { video, audio } = this.#view.present;
    const tracks = [video, audio].filter((track) => track !== undefined);
    if (tracks.length === 0) return textResponse(404, 'stream-not-found: the stream has no media yet');
    this.#described = tracks;
    const { stream } = this.#options.play.session;
    return {
      status: 200,
      headers: { 'Content-Type': 'application/sdp', 'Content-Base': url.endsWith('/') ? url : `${url}/` },
      body: writeStreamDescription({ name: stream, tracks }),
    };
  }

  #whenTracksKnown(respond: () => RtspResponse): Promise<RtspResponse> | RtspResponse {
    return hasRtspTracks(this.#view) ? respond() : this.#waitForTracks().then(respond);
  }

  async #waitForTracks(): Promise<void> {
    const { context } = this.#options;
    const endMs = context.clock() + tracksWaitMs;
    while (!hasRtspTracks(this.#view) && context.clock() < endMs && !this.#hasEnded) {
      await new Promise((resolve) => setTimeout(resolve, tracksLookMs));
    }
  }

  #setUp({ url, headers }: RtspRequest): RtspResponse {
    const { video, audio } = this.#view.present;
    const number = trackOfUrl(url) ?? (video ? trackNumber.video : trackNumber.audio);
    const track = number === trackNumber.video ? video : number === trackNumber.audio ? audio : undefined;
    if (!track) return textResponse(404, `the stream has no track ${number}: use the control URLs of the description`);
    const transport = this.#choose(headers.get('transport') ?? '');
    if (typeof transport === 'string') return textResponse(461, transport);
    this.#described ??= [video, audio].filter((known) => known !== undefined);
    this.#transports.set(track.kind, transport);
    return {
      status: 200,
      headers: { Transport: this.#transportHeader(track.kind, transport), ...this.#sessionHeader },
    };
  }

  #choose(header: string): RtspTransport | string {
    const { context, ip } = this.#options;
    const [first] = this.#transports.values();
    return chooseTransport(header, { hasDatagrams: context.datagrams !== undefined, kind: first?.kind, ip });
  }

  #transportHeader(kind: Kind, transport: RtspTransport): string {
    const channel = interleavedChannel[kind];
    if (transport.kind === 'tcp') return `RTP/AVP/TCP;unicast;interleaved=${channel}-${channel + 1}`;
    const { rtpPort, rtcpPort } = this.#options.context.datagrams!;
    return `RTP/AVP;unicast;client_port=${transport.rtpPort}-${transport.rtcpPort};server_port=${rtpPort}-${rtcpPort}`;
  }

  #play(): Promise<RtspResponse> | RtspResponse {
    if (this.#transports.size === 0) return textResponse(455, 'no track is set up: send SETUP before PLAY');
    const waitMs = this.#playing ? 0 : this.#startedAtMs + replayMs - this.#options.context.clock();
    if (waitMs <= 0) return this.#allowStart();
    return new Promise((resolve) => {
      this.#replay = setTimeout(() => resolve(this.#allowStart()), waitMs);
    });
  }

  #allowStart(): RtspResponse {
    this.#mayStart = true;
    return { status: 200, headers: { ...this.#sessionHeader, Range: 'npt=now-' } };
  }

  #start(): void {
    this.#mayStart = false;
    if (this.#playing || this.#hasEnded) return;
    const { context, stream, play, onEnd, onUse } = this.#options;
    this.#startedAtMs = context.clock();
    const handle = play.start({
      close: onEnd,
      stats: () => ({
        droppedFrames: this.#playing?.viewer.droppedFrames ?? 0,
        queuedBytes: this.#playing ? this.#playing.broadcast.queuedBytesOf(this.#playing.viewer) : 0,
      }),
    });
    const udp = this.#openUdp();
    const broadcasts = this.#broadcasts;
    const broadcast = broadcasts.of(stream);
    const socket = udp ?? this.#options.socket;
    const viewer = new BroadcastViewer({
      ...{ socket, isFramed: false, player: handle, now: context.clock() },
      onStreamEnd: onEnd,
    });
    this.#playing = { handle, broadcasts, broadcast, viewer, udp };
    onUse(true);
    broadcast.addViewer(viewer);
  }

  get #broadcasts(): Broadcasts {
    const { broadcasts } = this.#options.context;
    if (this.#transports.size === 2) return broadcasts.both;
    const isWhole = this.#view.present.video === undefined || this.#view.present.audio === undefined;
    if (isWhole) return broadcasts.both;
    return this.#transports.has('video') ? broadcasts.video : broadcasts.audio;
  }

  #openUdp(): UdpViewerSocket | undefined {
    const { datagrams } = this.#options.context;
    const channels = new Map<number, SendDatagrams>();
    for (const [kind, transport] of this.#transports) {
      if (!datagrams || transport.kind !== 'udp') continue;
      const channel = interleavedChannel[kind];
      channels.set(channel, datagrams.sendTo('rtp', this.#options.ip, transport.rtpPort));
      channels.set(channel + 1, datagrams.sendTo('rtcp', this.#options.ip, transport.rtcpPort));
    }
    return channels.size > 0 ? new UdpViewerSocket(channels) : undefined;
  }

  #stop(): void {
    this.#mayStart = false;
    const playing = this.#playing;
    this.#playing = undefined;
    if (!playing) return;
    playing.broadcast.removeViewer(playing.viewer);
    playing.broadcasts.release(this.#options.stream, playing.broadcast);
    playing.udp?.destroy();
    this.#options.onUse(false);
  }

  #hasOtherCodecs(described: readonly Track[]): boolean {
    return described.some((track) => {
      const now = this.#view.present[track.kind];
      return now !== undefined && now.codec !== track.codec;
    });
  }
}
