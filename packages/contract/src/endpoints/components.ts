import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { emptyRequest, nullData } from '../models/envelope.ts';
import { paths } from '../paths.ts';
import { componentNames, componentStates, mediaServerAbilities, srsRoles } from '../values/components.ts';

const mediaServerState = {
  /** `host:port` of the media server's HTTP API; '' while unknown. Several are separated by commas. */
  api: z.string(),
  isUp: z.boolean(),
  /** Name and version that the media server reports; '' while it does not respond. */
  version: z.string(),
  /** Features that are available now. */
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
        /** Port of the component; absent for a component without its own port. */
        port: z.number().int().optional(),
      }),
    ),
    mediaServer: z.object({
      /** `embedded`: part of this product. `srs`: an external SRS, controlled through its HTTP API and callbacks. */
      engine: z.enum(['embedded', 'srs']),
      ...mediaServerState,
      /**
       * Each media server. The other fields describe all of them: up when at least one is up, with the abilities that all reachable ones
       * have.
       */
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
  summary: 'Returns complete SRS configurations for this product: a single server, an origin, and its edges.',
  request: emptyRequest,
  response: z.object({
    configurations: z.array(
      z.object({
        role: z.enum(srsRoles),
        /** `host:port` of the HTTP API of the SRS for which the configuration is. */
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
