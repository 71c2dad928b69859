import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';
import { maxPathLength, maxProxyLocations, maxTargetUrlLength } from '../../limits.ts';
import { emptyRequest, nullData } from '../../models/envelope.ts';
import { expectedRevision, settingsRevision } from '../../models/settings-revision.ts';
import { paths } from '../../paths.ts';

/** One path of the public server that another web server answers. */
export const proxyLocation = z.object({
  /** Begins with a slash; the path itself and everything below it. */
  location: z.string().max(maxPathLength),
  /** `http(s)://host[:port][/path]`. With a path the location is replaced by it, without one the path stays. */
  backend: z.string().max(maxTargetUrlLength),
});
export type ProxyLocation = z.infer<typeof proxyLocation>;

export const queryHomepage = defineEndpoint({
  ...paths.queryHomepage,
  tag: 'Web server',
  summary: 'Where the path / of the public server leads.',
  request: emptyRequest,
  response: z.object({ homepage: z.string(), revision: settingsRevision }),
});

export const updateHomepage = defineEndpoint({
  ...paths.updateHomepage,
  tag: 'Web server',
  summary: 'Sets where / leads: a path of this server or an http(s) address.',
  request: z.object({
    token: z.string().optional(),
    homepage: z.string().max(maxTargetUrlLength),
    revision: expectedRevision,
  }),
  response: nullData,
});

export const queryProxyLocations = defineEndpoint({
  ...paths.queryProxyLocations,
  tag: 'Web server',
  summary: 'Paths of the public server that other web servers answer.',
  request: emptyRequest,
  response: z.object({ locations: z.array(proxyLocation), revision: settingsRevision }),
});

export const updateProxyLocations = defineEndpoint({
  ...paths.updateProxyLocations,
  tag: 'Web server',
  summary: 'Replaces the list of proxied paths; it applies at once, without a restart.',
  request: z.object({
    token: z.string().optional(),
    locations: z.array(proxyLocation).max(maxProxyLocations),
    revision: expectedRevision,
  }),
  response: nullData,
});
