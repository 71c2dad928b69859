// `run/ports.json` in the data folder contains the ports that the gateway has bound; further gateways write `run/ports-1.json`, … The
// supervisor waits for it; the control plane, tests and benchmarks read the ports from it.
import { z } from 'zod';

const port = z.number().int().min(1).max(65_535);

export const boundPorts = z.object({
  /** Process id of the gateway; if no such process runs, the file is outdated. */
  pid: z.number().int().positive(),
  http: port,
  https: port,
  rtmp: port,
  /** RTMP over TLS; absent while it is off. */
  rtmps: port.optional(),
  /** RTSP; absent while it is off. */
  rtsp: port.optional(),
  /** RTSP over TLS; absent while it is off. */
  rtsps: port.optional(),
  /** RTP over UDP for RTSP, with RTCP on the next port; absent while it is off. */
  rtspUdp: port.optional(),
  /** Null where the protocol is switched off. */
  srt: port.nullable(),
  rtc: port.nullable(),
  /** HTTP API of the media server. */
  srsApi: port,
});
export type BoundPorts = z.infer<typeof boundPorts>;
