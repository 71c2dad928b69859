// `config/front.json`: settings for the gateway. The control plane writes the file; the gateway watches it.
import { z } from 'zod';
import { proxyLocation } from '../endpoints/settings/web-front.ts';

export const frontSettings = z.object({
  /** Redirect target of `/`. */
  home: z.string(),
  locations: z.array(proxyLocation),
  /** Protocols that are switched off. */
  off: z.array(z.string()),
  /** Whether an admin password is set. If so, the gateway sends the console with a prerendered login page. */
  initialised: z.boolean(),
});
export type FrontSettings = z.infer<typeof frontSettings>;
