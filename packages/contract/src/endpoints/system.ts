import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { emptyRequest } from '../models/envelope.ts';
import { paths } from '../paths.ts';

export const check = defineEndpoint({
  ...paths.check,
  tag: 'System',
  summary: 'Fails with 1007 until the store is initialized.',
  request: z.object({}),
  response: z.object({ upgrading: z.boolean() }),
});

export const status = defineEndpoint({
  ...paths.status,
  tag: 'System',
  summary: 'Returns the running version and the available releases, each with a leading v.',
  request: emptyRequest,
  response: z.object({
    version: z.string(),
    releases: z.object({
      version: z.string(),
      /** Newest stable version; the running version before the first update check. */
      stable: z.string(),
      latest: z.string(),
      /** Time of the last update check, RFC 3339; null before the first check. */
      checkedAt: z.string().nullable().optional(),
    }),
    upgrading: z.boolean(),
    strategy: z.string(),
  }),
});

export const environment = z.object({
  mgmtDocker: z.boolean(),
  platformDocker: z.boolean(),
  /** Whether a public WebRTC address (`CANDIDATE`) is configured. */
  candidate: z.boolean(),
  /** Ports as text; an empty `httpPort` means the port of the page. */
  rtmpPort: z.string(),
  httpPort: z.string(),
  srtPort: z.string(),
  rtcPort: z.string(),
  /** HTTPS port, which browsers need for cameras; absent without HTTPS. */
  httpsPort: z.string().optional(),
  /** Port of RTMP over TLS; absent if disabled. */
  rtmpsPort: z.string().optional(),
  /** Port of RTSP; absent if disabled. */
  rtspPort: z.string().optional(),
  forwardLimit: z.number().int(),
  vLiveLimit: z.number().int(),
  cameraLimit: z.number().int(),
});
export type Environment = z.infer<typeof environment>;

export const envs = defineEndpoint({
  ...paths.envs,
  tag: 'System',
  summary: 'Returns the ports and settings that the console needs to build addresses; stores the locale.',
  request: z.object({ locale: z.string().max(16).optional() }),
  response: environment,
});
