// Modifies SDP where browsers offer no API.

/** Requests stereo Opus in both directions (RFC 7587 §6.1), because browsers use mono by default. */
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
 * Raises the initial video bitrate from the browser's default of 300 kbit/s. Only Chromium reads this value from the answer. Congestion
 * control reduces the bitrate within a second on a slow network.
 */
export function withStartBitrate(answer: string, kbps: number): string {
  return answer.replace(/(m=video [\s\S]*?)(?=\r?\nm=|$)/, (section) =>
    section.replace(/^(a=fmtp:\d+ (?!apt=)[^\r\n]*)/gm, `$1;x-google-start-bitrate=${Math.round(kbps)}`),
  );
}

/** Sorts codecs: `mimeType` first, and H.264 with packetization mode 1 before other H.264. */
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
