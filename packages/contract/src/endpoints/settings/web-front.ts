import { z } from 'zod';
import { maxPathLength, maxProxyLocations, maxTargetUrlLength } from '../../limits.ts';
import { settingCalls } from '../../models/setting.ts';
import { paths } from '../../paths.ts';

/** A path of this server that is proxied to another web server. */
export const proxyLocation = z.object({
  /** Path with a leading slash; includes everything below it. */
  location: z.string().max(maxPathLength),
  /** `http(s)://host[:port][/path]`. A path in this URL replaces `location`; without a path, the request path stays unchanged. */
  backend: z.string().max(maxTargetUrlLength),
});
export type ProxyLocation = z.infer<typeof proxyLocation>;

export const { query: queryHomepage, update: updateHomepage } = settingCalls({
  tag: 'Web server',
  query: { ...paths.queryHomepage, summary: 'Returns the address to which the path / of the public server redirects.' },
  update: {
    ...paths.updateHomepage,
    summary: 'Sets the address to which the path / redirects: a path of this server or an http(s) address.',
  },
  shown: { homepage: z.string() },
  sent: { homepage: z.string().max(maxTargetUrlLength) },
});

export const { query: queryProxyLocations, update: updateProxyLocations } = settingCalls({
  tag: 'Web server',
  query: {
    ...paths.queryProxyLocations,
    summary: 'Lists the paths of the public server that are proxied to other web servers.',
  },
  update: {
    ...paths.updateProxyLocations,
    summary: 'Replaces the list of proxied paths; applies immediately, without a restart.',
  },
  shown: { locations: z.array(proxyLocation) },
  sent: { locations: z.array(proxyLocation).max(maxProxyLocations) },
});
