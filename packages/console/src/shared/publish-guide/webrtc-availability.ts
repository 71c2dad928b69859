// Determines whether WebRTC works on the open page, and the remedy if not. Pure.
import type { Environment } from '@srs-stack/contract';

/** The used part of `location`. */
export interface PageLocation {
  hostname: string;
  /** With a colon, as in `location.protocol`. */
  protocol: string;
  port: string;
  pathname: string;
  search: string;
}

/**
 * `https-required`: browsers allow cameras only on HTTPS pages and localhost. `httpsUrl` is the HTTPS address of this page; undefined if
 * the server has none. `no-localhost`: the page uses localhost, and the server may announce no IP address that the browser can reach.
 */
export type WebrtcPublish =
  | { kind: 'ready' }
  | { kind: 'https-required'; httpsUrl: string | undefined }
  | { kind: 'no-localhost' };

export interface WebrtcAvailability {
  publish: WebrtcPublish;
  /** Whether a program such as FFmpeg can publish, which needs no HTTPS page. */
  program: Exclude<WebrtcPublish, { kind: 'https-required' }>;
  play: boolean;
}

/** Query parameter that allows WebRTC over localhost. */
export const allowLocalhostParameter = 'allow-lo-rtc';

type WebrtcEnvironment = Pick<Environment, 'candidate' | 'platformDocker' | 'httpsPort'>;

export function webrtcAvailability(page: PageLocation, environment: WebrtcEnvironment): WebrtcAvailability {
  const allowed = new URLSearchParams(page.search).get(allowLocalhostParameter) === 'true';
  const isLocal = isLocalHost(page.hostname);
  const isUnreachable = isLocal && !environment.candidate && !allowed;
  const program = isUnreachable ? ({ kind: 'no-localhost' } as const) : ({ kind: 'ready' } as const);
  const needsHttps = !isLocal && page.protocol !== 'https:';
  return {
    publish: needsHttps ? { kind: 'https-required', httpsUrl: httpsUrl(page, environment.httpsPort) } : program,
    program,
    play: !(isUnreachable && environment.platformDocker),
  };
}

/** Host names that browsers treat as this computer (Secure Contexts §3.1). */
export function isLocalHost(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(hostname);
}

/** A page on port 80 is behind a port mapping or proxy, which usually provides HTTPS on port 443. */
function httpsUrl(page: PageLocation, httpsPort: string | undefined): string | undefined {
  if (!httpsPort) return undefined;
  const isMapped = page.port === '' || page.port === '80';
  const port = isMapped || httpsPort === '443' ? '' : `:${httpsPort}`;
  return `https://${page.hostname}${port}${page.pathname}${page.search}`;
}
