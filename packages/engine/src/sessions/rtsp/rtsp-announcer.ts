// The publisher's side of an RTSP session: SETUP of the announced media, RECORD, and the packets that follow.
import type { RtspRequest, RtspResponse } from '@srs-stack/media/protocols/rtsp/rtsp-message.ts';
import { isControlUrl } from '@srs-stack/media/protocols/rtsp/rtsp-url.ts';
import type { RtspTransport, UdpTransport } from '@srs-stack/media/protocols/rtsp/transport-header.ts';
import type { AnnouncedMedia } from '@srs-stack/media/protocols/sdp/announced-media.ts';
import type { Publication } from '../../hub/stream-hub.ts';
import type { StreamEndReason } from '../../hub/stream-reader.ts';
import type { LeftOutMedia } from '../../ingest/left-out-media.ts';
import { RtspPublisher } from '../../ingest/rtsp-publisher.ts';
import { sessionFields } from '../../session-info.ts';
import { chooseTransport } from './choose-transport.ts';
import { type RtspContext, type RtspRole, sessionTimeoutSeconds } from './rtsp-context.ts';
import { textResponse } from './rtsp-refusal.ts';

export interface RtspAnnouncerOptions {
  readonly context: RtspContext;
  readonly sessionId: string;
  readonly ip: string;
  readonly publication: Publication;
  readonly announced: readonly AnnouncedMedia[];
  readonly onUse: (isUsed: boolean) => void;
}

export class RtspAnnouncer implements RtspRole {
  readonly #options: RtspAnnouncerOptions;
  readonly #transports = new Map<number, RtspTransport>();
  /** Media number by RTP channel. */
  readonly #channels = new Map<number, number>();
  /** Functions that release the UDP ports of the client, by media number. */
  readonly #claims = new Map<number, () => void>();
  #publisher: RtspPublisher | undefined;
  #endReason: StreamEndReason = 'error';
  #hasEnded = false;

  constructor(options: RtspAnnouncerOptions) {
    this.#options = options;
  }

  get isActive(): boolean {
    return this.#publisher !== undefined;
  }

  get details(): LeftOutMedia & { readonly lostPackets?: number } {
    return this.#publisher ? { ...this.#publisher.unsupported, lostPackets: this.#publisher.lostPackets } : {};
  }

  /** Stores the reason for the end of the publication. */
  endFor(reason: StreamEndReason): void {
    this.#endReason = reason;
  }

  handle(request: RtspRequest): RtspResponse | undefined {
    if (request.method === 'SETUP') return this.#setUp(request);
    if (request.method === 'RECORD') return this.#record();
    if (request.method === 'PAUSE') return { status: 200, headers: this.#sessionHeader };
    if (request.method === 'TEARDOWN') this.#endReason = 'unpublished';
    return undefined;
  }

  onFrame(channel: number, data: Buffer): void {
    const index = this.#channels.get(channel & ~1);
    // Ignores frames before RECORD, and frames of channels without a SETUP.
    if (index === undefined || !this.#publisher) return;
    this.#publisher.handlePacket(index, (channel & 1) === 1, data, this.#options.context.clock());
  }

  afterResponse(): void {
    // A publisher has nothing to do after a response.
  }

  tick(now: number): void {
    this.#publisher?.tick(now);
  }

  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    for (const release of this.#claims.values()) release();
    const { context, publication } = this.#options;
    publication.end(this.#endReason);
    context.ports.log.info({ ...sessionFields(publication.session), reason: this.#endReason }, 'publish ended');
    context.ports.onUnpublish(publication.session);
  }

  get #sessionHeader(): Record<string, string> {
    return { Session: `${this.#options.sessionId};timeout=${sessionTimeoutSeconds}` };
  }

  #setUp({ url, headers }: RtspRequest): RtspResponse {
    const { announced } = this.#options;
    const named = announced.findIndex(({ control }) => isControlUrl(url, control));
    const index = named < 0 && announced.length === 1 ? 0 : named;
    if (index < 0) return textResponse(404, 'this is not a control URL of the announced description');
    if (this.#publisher) return textResponse(455, 'the session is already recording');
    const transport = this.#choose(headers.get('transport') ?? '');
    if (typeof transport === 'string') return textResponse(461, transport);
    if (transport.kind === 'tcp') return this.#setUpTcp(index, transport.channel ?? index * 2);
    return this.#setUpUdp(index, transport);
  }

  /** Reserves the UDP ports of the client for this session. No other session can then receive datagrams from these ports. */
  #setUpUdp(index: number, transport: UdpTransport): RtspResponse {
    const { context, ip: address } = this.#options;
    const datagrams = context.datagrams!;
    const { rtpPort, rtcpPort } = transport;
    const onDatagram = (kind: 'rtp' | 'rtcp', datagram: Buffer): void =>
      this.#publisher?.handlePacket(index, kind === 'rtcp', datagram, context.clock());
    this.#claims.get(index)?.();
    const release = datagrams.claim({ address, rtpPort, rtcpPort, onDatagram });
    this.#transports.delete(index);
    if (!release)
      return textResponse(461, `ports ${rtpPort} and ${rtcpPort} of this address are in use: use other ports`);
    this.#claims.set(index, release);
    this.#transports.set(index, transport);
    const ports = `client_port=${rtpPort}-${rtcpPort};server_port=${datagrams.rtpPort}-${datagrams.rtcpPort}`;
    return this.#accepted(`RTP/AVP;unicast;${ports};mode=record`);
  }

  #setUpTcp(index: number, wanted: number): RtspResponse {
    // RTP uses even channels, and RTCP the next odd channel.
    const isFree = (channel: number): boolean => (this.#channels.get(channel) ?? index) === index;
    const channel = wanted % 2 === 0 && wanted < 255 && isFree(wanted) ? wanted : index * 2;
    if (!isFree(channel)) return textResponse(461, 'the interleaved channels are in use: use other channels');
    this.#channels.set(channel, index);
    this.#transports.set(index, { kind: 'tcp', channel });
    return this.#accepted(`RTP/AVP/TCP;unicast;interleaved=${channel}-${channel + 1};mode=record`);
  }

  #accepted(transport: string): RtspResponse {
    return { status: 200, headers: { Transport: transport, ...this.#sessionHeader } };
  }

  #choose(header: string): RtspTransport | string {
    const { context, ip } = this.#options;
    const [first] = this.#transports.values();
    return chooseTransport(header, { hasDatagrams: context.datagrams !== undefined, kind: first?.kind, ip });
  }

  #record(): RtspResponse {
    const [first] = this.#transports.values();
    if (!first) return textResponse(455, 'no track is set up: send SETUP before RECORD');
    if (!this.#publisher) this.#start(first.kind);
    return { status: 200, headers: this.#sessionHeader };
  }

  #start(kind: RtspTransport['kind']): void {
    const { context, publication, announced, onUse } = this.#options;
    this.#publisher = new RtspPublisher(publication, announced, kind);
    onUse(true);
    context.ports.log.info(sessionFields(publication.session), 'publish started');
  }
}
