// Whether WebRTC can be used from the page that is open, and what to do when it cannot. Pure.
import type { Environment } from '@srs-stack/contract';

/** The part of `location` that the decision needs. */
export interface PageLocation {
  hostname: string;
  /** With the colon, as `location.protocol`. */
  protocol: string;
  port: string;
  pathname: string;
  search: string;
}

/**
 * `https-required`: browsers allow cameras only on encrypted pages and on localhost; `httpsUrl` is this page on the server's HTTPS port,
 * undefined if it has none. `no-localhost`: the SDP answer of the server would contain only an address that this computer alone can reach.
 */
export type WebrtcPublish =
  | { kind: 'ready' }
  | { kind: 'https-required'; httpsUrl: string | undefined }
  | { kind: 'no-localhost' };

export interface WebrtcAvailability {
  /** Whether the browser can publish. */
  publish: WebrtcPublish;
  /** Whether a program can publish, which needs no encrypted page. */
  program: Exclude<WebrtcPublish, { kind: 'https-required' }>;
  /** Whether links to the WebRTC player and its address are shown. */
  play: boolean;
}

/** Query parameter with which an operator enables WebRTC over localhost. */
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

/** Names and addresses that browsers treat as this computer (Secure Contexts §3.1). */
export function isLocalHost(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(hostname);
}

/** A page on port 80 is behind a port mapping or proxy, which by convention has HTTPS on 443. */
function httpsUrl(page: PageLocation, httpsPort: string | undefined): string | undefined {
  if (!httpsPort) return undefined;
  const isMapped = page.port === '' || page.port === '80';
  const port = isMapped || httpsPort === '443' ? '' : `:${httpsPort}`;
  return `https://${page.hostname}${port}${page.pathname}${page.search}`;
}
