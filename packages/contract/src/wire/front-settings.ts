// `config/front.json`: what the gateway needs to know of the settings. The control plane writes it, the gateway watches it.
import { z } from 'zod';
import { proxyLocation } from '../endpoints/settings/web-front.ts';

export const frontSettings = z.object({
  /** Where `/` leads. */
  home: z.string(),
  /** Paths that other web servers answer. */
  locations: z.array(proxyLocation),
  /** Protocols that are switched off. */
  off: z.array(z.string()),
  /** Whether an admin password is set: the gateway then sends the console with its login page drawn. */
  initialised: z.boolean(),
});
export type FrontSettings = z.infer<typeof frontSettings>;
