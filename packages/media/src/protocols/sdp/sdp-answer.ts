// The answer to an offer, RFC 8829 §5.3, RFC 8866, for a server that is ICE-lite and has one transport for all media.
import { candidateLines } from './candidates.ts';
import { attributeValues, midOf, type SdpLines, splitSdp } from './sdp-lines.ts';
import { type SdpFingerprint, writeFingerprint } from './sdp-transport.ts';

/** A media section that is used. */
export interface SdpAnswerMedia {
  readonly kind: 'video' | 'audio';
  readonly mid: string;
  /** Ours: what a publisher sends is received. */
  readonly direction: 'send' | 'receive';
  readonly codec: 'h264' | 'h265' | 'opus';
  readonly payloadType: number;
  /** `a=fmtp`; '' for none. */
  readonly format: string;
  /** Of what we send; unused when receiving. */
  readonly ssrc: number;
}

export interface SdpAnswerOptions {
  readonly offer: string;
  readonly plans: readonly SdpAnswerMedia[];
  /** Ours (RFC 8839 §5.4). */
  readonly ufrag: string;
  readonly password: string;
  /** Of our certificate (RFC 8122 §5). */
  readonly fingerprint: SdpFingerprint;
  /** As `negotiateSetup` has it. */
  readonly setup: 'active' | 'passive';
  /** Where we are reached, the most wanted first. Without one `replaceCandidates` writes into the first section, used or not. */
  readonly candidates: readonly { readonly ip: string; readonly port: number }[];
  /** Where peers connect who cannot send UDP, at the same addresses. */
  readonly tcpPort?: number | undefined;
  /** Digits; another for each session (RFC 8866 §5.2). */
  readonly sessionId: number;
  /** Source and stream names in the answer: players synchronize audio and video with the same stream name. */
  readonly cname: string;
}

/** RFC 6184 §8.2.1, RFC 7798 §7.2.1, RFC 7587 §7. */
const payloadNames = { h264: 'H264/90000', h265: 'H265/90000', opus: 'opus/48000/2' } as const;
/** Feedback that is listened to or given, RFC 4585 §4.2 and draft-alvestrand-rmcat-remb-03 §2.3. */
const videoFeedback = ['nack', 'nack pli', 'goog-remb'] as const;
/** Names no address: what a section that is not used has, and one whose candidates are not known yet (RFC 8840 §4.1.1). */
const nowhere = { ip: '0.0.0.0', port: 9 };

/**
 * The answer, its lines ending in CRLF. Sections stand in the offer's order (RFC 3264 §6); those without a plan are refused.
 * Throws ProtocolError when the offer is none.
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

/** The plan of each section; one plan is for one section, whatever names an offer repeats. */
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

/** RFC 3264 §6: port 0, and a payload type of those that were offered. */
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
  // Those that look at it want IPv4 (RFC 8839 §4.2.1.2).
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

/** Source and stream of what we send, in the older form and in that of RFC 8830 §2. */
function sourceLines({ ssrc, kind }: SdpAnswerMedia, cname: string): string[] {
  return [`a=ssrc:${ssrc} cname:${cname}`, `a=ssrc:${ssrc} msid:${cname} ${kind}`, `a=msid:${cname} ${kind}`];
}

/**
 * Feedback both sides know (RFC 4585 §4.2), offered for the payload type or for all. To an offer that names none at all the answer
 * names all: that much is given and understood, whatever was offered, and some encoders leave their lines out.
 */
function feedbackOf(lines: readonly string[], { kind, payloadType }: SdpAnswerMedia): readonly string[] {
  if (kind === 'audio') return [];
  const offered = attributeValues(lines, 'rtcp-fb').flatMap((value) => {
    const [type, ...feedback] = value.trim().split(/\s+/);
    return type === '*' || type === String(payloadType) ? [feedback.join(' ')] : [];
  });
  return offered.length === 0 ? videoFeedback : videoFeedback.filter((feedback) => offered.includes(feedback));
}

/**
 * One section has all candidates of the bundle (RFC 9143 §9.1), so that no peer has to wait for more (RFC 8840 §8.2).
 */
function candidateSection({ candidates, tcpPort }: SdpAnswerOptions): string[] {
  return [...candidateLines(candidates, { udp: 0, tcp: tcpPort }), 'a=end-of-candidates'];
}

/** RFC 8866 §5.14. */
function mediaLine(lines: readonly string[]): { media: string; protocol: string; formats: readonly string[] } {
  const [media = '', , protocol = '', ...formats] = lines[0]!.slice(2).trim().split(/\s+/);
  return { media, protocol, formats };
}
