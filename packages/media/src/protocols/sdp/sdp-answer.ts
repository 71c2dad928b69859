// Writes the answer to an offer (RFC 8829 §5.3, RFC 8866) for an ICE-lite server with one transport for all media.
import { candidateLines } from './candidates.ts';
import { attributeValues, midOf, type SdpLines, splitSdp } from './sdp-lines.ts';
import { type SdpFingerprint, writeFingerprint } from './sdp-transport.ts';

/** A media section in use. */
export interface SdpAnswerMedia {
  readonly kind: 'video' | 'audio';
  readonly mid: string;
  /** `receive` for a publisher, `send` for a player. */
  readonly direction: 'send' | 'receive';
  readonly codec: 'h264' | 'h265' | 'opus';
  readonly payloadType: number;
  readonly format: string;
  /** SSRC of the sent media; unused when receiving. */
  readonly ssrc: number;
}

export interface SdpAnswerOptions {
  readonly offer: string;
  readonly plans: readonly SdpAnswerMedia[];
  /** ICE credentials of the server (RFC 8839 §5.4). */
  readonly ufrag: string;
  readonly password: string;
  /** Fingerprint of the server's certificate (RFC 8122 §5). */
  readonly fingerprint: SdpFingerprint;
  /** DTLS role of the server, from `negotiateSetup`. */
  readonly setup: 'active' | 'passive';
  /**
   * Addresses of the server, preferred address first. If empty, `replaceCandidates` later adds addresses to the first section, even if that
   * section is unused.
   */
  readonly candidates: readonly { readonly ip: string; readonly port: number }[];
  /** TCP port at the candidate addresses, for peers that cannot use UDP. */
  readonly tcpPort?: number | undefined;
  /** Digits; unique for each session (RFC 8866 §5.2). */
  readonly sessionId: number;
  /** Name of source and stream. Players synchronize audio and video that share a stream name. */
  readonly cname: string;
}

/** RFC 6184 §8.2.1, RFC 7798 §7.2.1, RFC 7587 §7. */
const payloadNames = { h264: 'H264/90000', h265: 'H265/90000', opus: 'opus/48000/2' } as const;
/** Supported feedback, RFC 4585 §4.2 and draft-alvestrand-rmcat-remb-03 §2.3. */
const videoFeedback = ['nack', 'nack pli', 'goog-remb'] as const;
/** Placeholder address of unused sections and of sections without candidates (RFC 8840 §4.1.1). */
const nowhere = { ip: '0.0.0.0', port: 9 };

/**
 * Returns the answer with CRLF line ends. Sections have the order of the offer (RFC 3264 §6). Sections without a plan are refused. Throws
 * ProtocolError for an invalid offer.
 */
export function writeSdpAnswer(options: SdpAnswerOptions): string {
  const { sections } = splitSdp(options.offer);
  const planned = matchPlans(sections, options.plans);
  const first = planned.findIndex((plan) => plan !== undefined);
  const written = sections.flatMap((lines, index) => {
    const plan = planned[index];
    if (!plan) return refusedSection(lines);
    return [...usedSection(lines, plan, options), ...(index === first ? candidateSection(options) : [])];
  });
  return [...sessionLines(options, planned), ...written, ''].join('\r\n');
}

/** The plan of each section. If an offer repeats a name, only the first section of that name gets the plan. */
function matchPlans(
  sections: SdpLines['sections'],
  plans: readonly SdpAnswerMedia[],
): readonly (SdpAnswerMedia | undefined)[] {
  const left = new Set(plans);
  return sections.map((lines) => {
    const plan = [...left].find(({ kind, mid }) => mid === midOf(lines) && lines[0]!.startsWith(`m=${kind} `));
    if (plan) left.delete(plan);
    return plan;
  });
}

function sessionLines({ sessionId }: SdpAnswerOptions, planned: readonly (SdpAnswerMedia | undefined)[]): string[] {
  const mids = planned.flatMap((plan) => (plan ? [plan.mid] : []));
  return [
    'v=0',
    `o=- ${sessionId} 0 IN IP4 127.0.0.1`,
    's=-',
    't=0 0',
    `a=group:BUNDLE ${mids.join(' ')}`,
    'a=ice-lite',
    'a=ice-options:ice2',
    'a=msid-semantic:WMS *',
  ];
}

/** A refused section has port 0 and one of the offered payload types (RFC 3264 §6). */
function refusedSection(lines: readonly string[]): string[] {
  const { media, protocol, formats } = mediaLine(lines);
  const [format = '0'] = formats;
  const map = attributeValues(lines, 'rtpmap').find((value) => value.startsWith(`${format} `));
  const mid = midOf(lines);
  return [
    `m=${media} 0 ${protocol} ${format}`,
    `c=IN IP4 ${nowhere.ip}`,
    ...(mid === '' ? [] : [`a=mid:${mid}`]),
    'a=inactive',
    ...(map === undefined ? [] : [`a=rtpmap:${map}`]),
  ];
}

function usedSection(lines: readonly string[], plan: SdpAnswerMedia, options: SdpAnswerOptions): string[] {
  const { kind, payloadType, codec, format } = plan;
  // Prefers IPv4, which clients that read this line expect (RFC 8839 §4.2.1.2).
  const { ip, port } = options.candidates.find((each) => !each.ip.includes(':')) ?? options.candidates[0] ?? nowhere;
  return [
    `m=${kind} ${port} ${mediaLine(lines).protocol} ${payloadType}`,
    `c=IN ${ip.includes(':') ? 'IP6' : 'IP4'} ${ip}`,
    ...(plan.mid === '' ? [] : [`a=mid:${plan.mid}`]),
    ...(plan.direction === 'send' ? ['a=sendonly', ...sourceLines(plan, options.cname)] : ['a=recvonly']),
    'a=rtcp-mux',
    `a=rtpmap:${payloadType} ${payloadNames[codec]}`,
    ...feedbackOf(lines, plan).map((feedback) => `a=rtcp-fb:${payloadType} ${feedback}`),
    ...(format === '' ? [] : [`a=fmtp:${payloadType} ${format}`]),
    `a=setup:${options.setup}`,
    `a=ice-ufrag:${options.ufrag}`,
    `a=ice-pwd:${options.password}`,
    `a=fingerprint:${writeFingerprint(options.fingerprint)}`,
  ];
}

/** Source and stream of the sent media, in the older form and in the form of RFC 8830 §2. */
function sourceLines({ ssrc, kind }: SdpAnswerMedia, cname: string): string[] {
  return [`a=ssrc:${ssrc} cname:${cname}`, `a=ssrc:${ssrc} msid:${cname} ${kind}`, `a=msid:${cname} ${kind}`];
}

/**
 * Feedback types that both sides support (RFC 4585 §4.2). Some encoders send no feedback lines; the answer then contains all supported
 * types.
 */
function feedbackOf(lines: readonly string[], { kind, payloadType }: SdpAnswerMedia): readonly string[] {
  if (kind === 'audio') return [];
  const offered = attributeValues(lines, 'rtcp-fb').flatMap((value) => {
    const [type, ...feedback] = value.trim().split(/\s+/);
    return type === '*' || type === String(payloadType) ? [feedback.join(' ')] : [];
  });
  return offered.length === 0 ? videoFeedback : videoFeedback.filter((feedback) => offered.includes(feedback));
}

/** One section contains all candidates of the bundle (RFC 9143 §9.1). The end marker tells peers not to wait for more (RFC 8840 §8.2). */
function candidateSection({ candidates, tcpPort }: SdpAnswerOptions): string[] {
  return [...candidateLines(candidates, { udp: 0, tcp: tcpPort }), 'a=end-of-candidates'];
}

/** RFC 8866 §5.14. */
function mediaLine(lines: readonly string[]): { media: string; protocol: string; formats: readonly string[] } {
  const [media = '', , protocol = '', ...formats] = lines[0]!.slice(2).trim().split(/\s+/);
  return { media, protocol, formats };
}
