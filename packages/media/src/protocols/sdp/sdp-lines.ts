// Splits a session description (RFC 8866 §5) into the lines of the session and the lines of each media section.
import { ProtocolError } from '../../protocol-error.ts';

/** Longest offer, bytes: browsers with every codec stay below 10 KB. */
export const maxOfferBytes = 64 * 1024;
/** Maximum media sections of an offer; publishers and players send two. */
const maxSections = 16;

export interface SdpLines {
  readonly head: readonly string[];
  /** Lines of each media section, from `m=` on. */
  readonly sections: readonly (readonly string[])[];
}

/** Splits a description with CRLF or LF line ends. Throws ProtocolError for an invalid description. */
export function splitSdp(text: string): SdpLines {
  if (text.length > maxOfferBytes) throw new ProtocolError('sdp', 'the SDP offer is too long', maxOfferBytes);
  const lines = text.split(/\r?\n/);
  if (lines[0] !== 'v=0') throw new ProtocolError('sdp', 'the SDP offer does not begin with v=0', 0);
  const starts = lines.flatMap((line, index) => (line.startsWith('m=') ? [index] : []));
  if (starts.length === 0) throw new ProtocolError('sdp', 'offer without media');
  if (starts.length > maxSections) throw new ProtocolError('sdp', 'the SDP offer has too many media sections');
  const sections = starts.map((start, index) => lines.slice(start, starts[index + 1]));
  return { head: lines.slice(0, starts[0]), sections };
}

/** Values of all `a=name:` lines, in order (RFC 8866 §5.13). */
export function attributeValues(lines: readonly string[], name: string): string[] {
  return lines.flatMap((line) => (line.startsWith(`a=${name}:`) ? [line.slice(name.length + 3)] : []));
}

/** Name of a media section (RFC 5888 §4); '' for none. */
export function midOf(lines: readonly string[]): string {
  return attributeValues(lines, 'mid')[0]?.trim().split(/\s/, 1)[0] ?? '';
}
