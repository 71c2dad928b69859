// Parses ICE credentials, certificate fingerprint and DTLS role in an SDP offer. All media of a session share one transport (RFC 9143), so
// these values are in one section or at session level.
import { ProtocolError } from '../../protocol-error.ts';
import { attributeValues, midOf, type SdpLines, splitSdp } from './sdp-lines.ts';

/** No connection to this peer is possible, whatever media it offers. */
export class SdpTransportError extends ProtocolError {
  constructor(reason: string) {
    super('sdp', reason);
  }
}

/** Accepted hashes of RFC 8122 §5, weakest first, with the digest size in bytes. */
const digestBytes = { 'sha-256': 32, 'sha-384': 48, 'sha-512': 64 } as const;

/** Certificate hash in an `a=fingerprint` (RFC 8122 §5). */
export interface SdpFingerprint {
  readonly hash: keyof typeof digestBytes;
  readonly digest: Buffer;
}

/** Value of `a=fingerprint`, without the name. */
export function writeFingerprint({ hash, digest }: SdpFingerprint): string {
  return `${hash} ${digest
    .toString('hex')
    .toUpperCase()
    .replace(/..(?=.)/g, '$&:')}`;
}

/** Which side opens the DTLS connection (RFC 5763 §5): `actpass` leaves the choice to the answer. */
export type SdpSetup = 'actpass' | 'active' | 'passive';

export interface OfferTransport {
  /** `a=ice-ufrag` (RFC 8839 §5.4). */
  readonly ufrag: string;
  /** `a=ice-pwd` (RFC 8839 §5.4). */
  readonly password: string;
  /** At least one; all use the strongest offered hash. The peer's certificate must match one of the fingerprints (RFC 8122 §5.1). */
  readonly fingerprints: readonly SdpFingerprint[];
  /** `a=setup`; undefined for none. */
  readonly setup: SdpSetup | undefined;
  /** An ICE-lite peer (RFC 8445 §2.5) responds to checks but sends none. */
  readonly isLite: boolean;
  /** The peer may send more candidates later (RFC 8840 §4.1). */
  readonly isTrickle: boolean;
}

/** Maximum number of certificate fingerprints; a browser has one. */
const maxFingerprints = 16;
/** RFC 8839 §5.4. Like browsers, accepts more characters than ICE allows, but no colon, which separates the parts of USERNAME. */
const ufragForm = /^[!-9;-~]{4,256}$/;
const passwordForm = /^[!-~]{22,256}$/;
const fingerprintForm = /^(\S+)\s+([\da-f]{2}(?::[\da-f]{2})*)\s*$/i;

/**
 * Parses the transport of an offer. `mid` is the first used section; by default the first section of the bundle (RFC 9143 §7.2). Missing
 * values are read from the first section of the bundle, then from the session. Throws ProtocolError when no connection is possible.
 */
export function parseOfferTransport(offer: string, mid?: string): OfferTransport {
  const lines = splitSdp(offer);
  const levels = levelsOf(lines, mid);
  const first = (name: string) => valuesAt(levels, name)[0]?.trim();
  const ufrag = first('ice-ufrag') ?? '';
  const password = first('ice-pwd') ?? '';
  if (!ufragForm.test(ufrag)) throw new SdpTransportError('the offer has no a=ice-ufrag of 4 to 256 characters');
  if (!passwordForm.test(password)) throw new SdpTransportError('the offer has no a=ice-pwd of 22 to 256 characters');
  return {
    ufrag,
    password,
    fingerprints: strongestOf(valuesAt(levels, 'fingerprint')),
    setup: toSetup(first('setup')),
    isLite: isLiteOffer(offer),
    isTrickle: valuesAt(levels, 'ice-options').some((options) => options.split(/[\s,]+/).includes('trickle')),
  };
}

/** Whether the session has the attribute for ICE-lite (RFC 8839 §5.3). */
export function isLiteOffer(offer: string): boolean {
  return splitSdp(offer).head.some((line) => line.trim() === 'a=ice-lite');
}

/** Lines to search, most specific first. */
function levelsOf({ head, sections }: SdpLines, mid: string | undefined): (readonly string[])[] {
  const bundled = attributeValues(head, 'group').find((group) => group.startsWith('BUNDLE'));
  const tagged = bundled?.split(/\s+/)[1] ?? '';
  const named = (name: string) => sections.find((section) => midOf(section) === name);
  return [(mid === undefined ? undefined : named(mid)) ?? [], named(tagged) ?? sections[0] ?? [], head];
}

/** Values at the first level with the attribute: a section overrides the session (RFC 8866 §5.13, RFC 8839 §5.4). */
function valuesAt(levels: readonly (readonly string[])[], name: string): string[] {
  for (const lines of levels) {
    const values = attributeValues(lines, name);
    if (values.length > 0) return values;
  }
  return [];
}

/** Uses only the strongest hash that both sides support (RFC 8122 §5.1). */
function strongestOf(values: readonly string[]): SdpFingerprint[] {
  if (values.length > maxFingerprints) throw new SdpTransportError('the offer has too many fingerprints');
  const known = values.flatMap((value) => toFingerprint(value) ?? []);
  if (known.length === 0)
    throw new SdpTransportError(
      `the offer has no a=fingerprint with one of these hash functions: ${Object.keys(digestBytes).join(', ')}`,
    );
  const strongest = Math.max(...known.map(({ digest }) => digest.length));
  return known.filter(({ digest }) => digest.length === strongest);
}

/** Returns undefined for an unknown or weak hash. */
function toFingerprint(value: string): SdpFingerprint | undefined {
  const [, name = '', hex = ''] = fingerprintForm.exec(value) ?? [];
  const hash = name.toLowerCase();
  if (!isKnownHash(hash)) return undefined;
  const digest = Buffer.from(hex.replaceAll(':', ''), 'hex');
  if (digest.length !== digestBytes[hash])
    throw new SdpTransportError(`a=fingerprint of ${hash} does not have ${digestBytes[hash]} bytes`);
  return { hash, digest };
}

function isKnownHash(name: string): name is SdpFingerprint['hash'] {
  return Object.hasOwn(digestBytes, name);
}

function toSetup(value: string | undefined): SdpSetup | undefined {
  if (value === undefined || value === 'actpass' || value === 'active' || value === 'passive') return value;
  throw new SdpTransportError('a=setup of the offer must be actpass, active or passive');
}

/**
 * DTLS role of the server (RFC 5763 §5, RFC 8842 §5.3). The peer starts if possible, because it is the first to know that its check
 * succeeded.
 */
export function negotiateSetup(offered: SdpSetup | undefined): 'active' | 'passive' {
  return offered === 'passive' ? 'active' : 'passive';
}
