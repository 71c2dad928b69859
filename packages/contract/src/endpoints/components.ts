import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { emptyRequest, nullData } from '../models/envelope.ts';
import { paths } from '../paths.ts';
import { componentNames, componentStates, mediaServerAbilities, srsRoles } from '../values/components.ts';

const mediaServerState = {
  /** `host:port` of the media server's HTTP API; several are separated by commas, '' if unknown. */
  api: z.string(),
  isUp: z.boolean(),
  /** Name and version of the media server; '' if unavailable. */
  version: z.string(),
  abilities: z.array(z.enum(mediaServerAbilities)),
};

export const queryComponents = defineEndpoint({
  ...paths.queryComponents,
  tag: 'System',
  summary: 'Returns the state of each protocol and kind of task, and the media server in use.',
  request: emptyRequest,
  response: z.object({
    components: z.array(
      z.object({
        name: z.enum(componentNames),
        state: z.enum(componentStates),
        enabled: z.boolean(),
        /** Absent for components without a port. */
        port: z.number().int().optional(),
      }),
    ),
    mediaServer: z.object({
      /** `embedded`: the built-in media server. `srs`: an external SRS, controlled over its HTTP API and callbacks. */
      engine: z.enum(['embedded', 'srs']),
      ...mediaServerState,
      /**
       * Details of each media server. In the summary above, `isUp` is true if at least one server is up. `abilities` contains the abilities
       * that all reachable servers have.
       */
      servers: z
        .array(
          z.object({
            /** `gateway-0`, or `host:port` of an SRS server. */
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
  summary: 'Returns complete SRS configurations for this product: a single server, an origin, and its edges.',
  request: emptyRequest,
  response: z.object({
    configurations: z.array(
      z.object({
        role: z.enum(srsRoles),
        /** `host:port` of the SRS server's HTTP API. */
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
  summary: 'Switches one component on or off, immediately and permanently; streams of other components continue.',
  request: z.object({ token: z.string().optional(), name: z.enum(componentNames), enabled: z.boolean() }),
  response: nullData,
});
