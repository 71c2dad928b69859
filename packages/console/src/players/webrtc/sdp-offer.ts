// Small changes to offer and answer that browsers have no setting for.

/** Requests Opus in stereo in both directions (RFC 7587 §6.1): otherwise browsers send and play mono. */
export function withStereoOpus(sdp: string): string {
  const payloadTypes = [...sdp.matchAll(/^a=rtpmap:(\d+) opus\/48000\/2/gim)].map((match) => match[1]);
  return payloadTypes.reduce<string>((text, type) => {
    const line = new RegExp(`^(a=fmtp:${type} )([^\r\n]*)`, 'm');
    return text.replace(line, (all, start: string, parameters: string) =>
      /\bstereo=/.test(parameters) ? all : `${start}${parameters};stereo=1;sprop-stereo=1`,
    );
  }, sdp);
}

/**
 * Starts a publisher's video at this bitrate instead of the browser's default of 300 kbit/s. Chromium reads it from the
 * answer's video parameters; other browsers ignore it. Congestion control detects a connection that is too slow within
 * a second.
 */
export function withStartBitrate(answer: string, kbps: number): string {
  return answer.replace(/(m=video [\s\S]*?)(?=\r?\nm=|$)/, (section) =>
    section.replace(/^(a=fmtp:\d+ (?!apt=)[^\r\n]*)/gm, `$1;x-google-start-bitrate=${Math.round(kbps)}`),
  );
}

/** Codecs in the order of preference: those of the wanted type first, H.264 in packetization mode 1 before the rest. */
export function preferCodec<Codec extends { mimeType: string; sdpFmtpLine?: string }>(
  codecs: readonly Codec[],
  mimeType: string,
): Codec[] {
  const rank = ({ mimeType: type, sdpFmtpLine = '' }: Codec) => {
    if (type.toLowerCase() !== mimeType) return 2;
    return mimeType === 'video/h264' && !/packetization-mode=1/.test(sdpFmtpLine) ? 1 : 0;
  };
  return codecs.toSorted((a, b) => rank(a) - rank(b));
}
