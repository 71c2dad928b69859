import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { emptyRequest, nullData } from '../models/envelope.ts';

/** Parts of the product that can be switched off: protocols of the media server, then kinds of tasks. */
export const protocolComponents = ['rtmp', 'srt', 'webrtc', 'flv', 'hls'] as const;
export const taskComponents = ['forward', 'vlive', 'transcode', 'record'] as const;
export const componentNames = [...protocolComponents, ...taskComponents] as const;
export type ComponentName = (typeof componentNames)[number];

/**
 * `running`: in service. `off`: switched off here. `absent`: switched off by the environment of the server.
 * `foreign`: belongs to a media server of its own, whose configuration decides.
 */
export const componentStates = ['running', 'off', 'absent', 'foreign'] as const;

/** What a media server can do beside streaming, as its interface shows. */
export const mediaServerAbilities = ['streams', 'kick', 'reload', 'refusals', 'measurements'] as const;

export const queryComponents = defineEndpoint({
  path: '/terraform/v1/mgmt/components/query',
  tag: 'System',
  summary: 'Protocols and kinds of tasks with their state, and the media server in use.',
  access: 'credential',
  request: emptyRequest,
  response: z.object({
    components: z.array(
      z.object({
        name: z.enum(componentNames),
        state: z.enum(componentStates),
        enabled: z.boolean(),
        /** Port it listens on; left out for what has none of its own. */
        port: z.number().int().optional(),
      }),
    ),
    mediaServer: z.object({
      /** `embedded`: part of this product. `srs`: an SRS beside it, driven through its HTTP API and callbacks. */
      engine: z.enum(['embedded', 'srs']),
      /** Address of its HTTP API, `host:port`; '' while it is not known. */
      api: z.string(),
      isUp: z.boolean(),
      /** What it says of itself; '' while it does not answer. */
      version: z.string(),
      /** Which abilities work now. */
      abilities: z.array(z.enum(mediaServerAbilities)),
    }),
  }),
});

export const updateComponent = defineEndpoint({
  path: '/terraform/v1/mgmt/components/update',
  tag: 'System',
  summary: 'Switches one component on or off, at once and for good; streams of other components go on.',
  access: 'credential',
  request: z.object({ token: z.string().optional(), name: z.enum(componentNames), enabled: z.boolean() }),
  response: nullData,
});
