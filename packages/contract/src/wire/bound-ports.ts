// `run/ports.json` in the data folder: what the gateway bound; of further gateways `run/ports-1.json`, … The supervisor waits for it,
// the control plane finds the media servers by them, tests and the bench find everything.
import { z } from 'zod';

const port = z.number().int().min(1).max(65_535);

export const boundPorts = z.object({
  /** Of the gateway: a file of another process is an old one. */
  pid: z.number().int().positive(),
  http: port,
  https: port,
  rtmp: port,
  /** RTMP over TLS; left out while it is off. */
  rtmps: port.optional(),
  /** Null where the protocol is switched off. */
  srt: port.nullable(),
  rtc: port.nullable(),
  /** HTTP API of the media server. */
  srsApi: port,
});
export type BoundPorts = z.infer<typeof boundPorts>;
