// The offer of a WHIP publisher that never connects, for tests of the response.

/** An offer to send H.264 and Opus. */
export const whipOffer = [
  ...['v=0', 'o=- 1 2 IN IP4 127.0.0.1', 's=-', 't=0 0', 'a=group:BUNDLE 0 1'],
  ...['m=audio 9 UDP/TLS/RTP/SAVPF 111', 'c=IN IP4 0.0.0.0', 'a=mid:0', 'a=sendonly', 'a=rtcp-mux'],
  ...['a=rtpmap:111 opus/48000/2', 'a=ice-ufrag:abcd', 'a=ice-pwd:0123456789abcdefghijkl', 'a=setup:actpass'],
  `a=fingerprint:sha-256 ${Array(32).fill('AB').join(':')}`,
  ...['m=video 9 UDP/TLS/RTP/SAVPF 96', 'c=IN IP4 0.0.0.0', 'a=mid:1', 'a=sendonly', 'a=rtcp-mux'],
  ...['a=rtpmap:96 H264/90000', 'a=fmtp:96 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f'],
  ...['a=ice-ufrag:abcd', 'a=ice-pwd:0123456789abcdefghijkl', 'a=setup:actpass'],
  `a=fingerprint:sha-256 ${Array(32).fill('AB').join(':')}`,
  '',
].join('\r\n');
