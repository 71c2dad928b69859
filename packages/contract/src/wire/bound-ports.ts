// `run/ports.json` in the data folder contains the ports that the gateway has bound. The second gateway writes `run/ports-1.json`, and so
// on. The supervisor waits for this file; the control plane and tests read the ports from it.
import { z } from 'zod';

const port = z.number().int().min(1).max(65_535);

export const boundPorts = z.object({
  /** Process id of the gateway. The file is outdated if no process has this id. */
  pid: z.number().int().positive(),
  http: port,
  https: port,
  rtmp: port,
  rtmps: port.optional(),
  rtsp: port.optional(),
  rtsps: port.optional(),
  /** UDP port for RTP of RTSP sessions; the next port is for RTCP. Absent if switched off. */
  rtspUdp: port.optional(),
  /** Null if the protocol is switched off. */
  srt: port.nullable(),
  rtc: port.nullable(),
  /** HTTP API of the media server. */
  srsApi: port,
});
export type BoundPorts = z.infer<typeof boundPorts>;
