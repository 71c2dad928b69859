import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { emptyRequest, nullData } from '../models/envelope.ts';
import { paths } from '../paths.ts';
import { componentNames, componentStates, mediaServerAbilities, srsRoles } from '../values/components.ts';

const mediaServerState = {
  /** Address of its HTTP API, `host:port`; '' while it is not known. Several have commas between them. */
  api: z.string(),
  isUp: z.boolean(),
  /** What it says of itself; '' while it does not answer. */
  version: z.string(),
  /** Which abilities work now. */
  abilities: z.array(z.enum(mediaServerAbilities)),
};

export const queryComponents = defineEndpoint({
  ...paths.queryComponents,
  tag: 'System',
  summary: 'Protocols and kinds of tasks with their state, and the media server in use.',
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
      ...mediaServerState,
      /** Each of them; what stands beside is of all: up when one is, abilities that all living ones have. */
      servers: z
        .array(
          z.object({
            /** `gateway-0`, or `host:port` of an SRS. */
            name: z.string(),
            ...mediaServerState,
          }),
        )
        .optional(),
    }),
  }),
});

export const querySrsConfigs = defineEndpoint({
  ...paths.querySrsConfigs,
  tag: 'System',
  summary: 'Complete configurations of SRS servers for this product: alone, as an origin, as its edges.',
  request: emptyRequest,
  response: z.object({
    configurations: z.array(
      z.object({
        role: z.enum(srsRoles),
        /** `host:port` of its HTTP API. */
        server: z.string(),
        fileName: z.string(),
        text: z.string(),
      }),
    ),
  }),
});

export const updateComponent = defineEndpoint({
  ...paths.updateComponent,
  tag: 'System',
  summary: 'Switches one component on or off, at once and for good; streams of other components go on.',
  request: z.object({ token: z.string().optional(), name: z.enum(componentNames), enabled: z.boolean() }),
  response: nullData,
});
