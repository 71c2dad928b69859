/** `udp`: MPEG-TS in datagrams, with or without RTP. `http`: HTTP-FLV, or MPEG-TS over HTTP. */
export const sourceKinds = ['rtsp', 'srt', 'udp', 'hls', 'rtmp', 'http'] as const;
export type SourceKind = (typeof sourceKinds)[number];
