// Changes of SDP offers and answers for which browsers have no setting.

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
 * Lets a publisher's video start at this bitrate instead of the browser's default of 300 kbit/s. Chromium reads the value from the video
 * parameters of the answer; other browsers ignore it. Congestion control detects within a second that a connection is too slow.
 */
export function withStartBitrate(answer: string, kbps: number): string {
  return answer.replace(/(m=video [\s\S]*?)(?=\r?\nm=|$)/, (section) =>
    section.replace(/^(a=fmtp:\d+ (?!apt=)[^\r\n]*)/gm, `$1;x-google-start-bitrate=${Math.round(kbps)}`),
  );
}

/** Codecs in order of preference: those of type `mimeType` first; of H.264, those with packetization mode 1 first. */
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
