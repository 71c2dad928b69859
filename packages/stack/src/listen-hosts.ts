// Which addresses of the machine the `*_LISTEN` variables bind; the banner prints only these, and the readiness check connects to them.
import { parseOptionalListenAddress } from '@srs-stack/process/listen-address.ts';
import type { Environment } from './environment.ts';

type Listener = 'http' | 'https' | 'rtmp' | 'rtmps' | 'rtsp' | 'rtsps' | 'srt' | 'rtc';

/** A listen address without a host. */
const anyPort = '0';

/** The host that each listener binds, in the format of URLs; undefined: all addresses of the machine. */
export type ListenHosts = Readonly<Record<Listener, string | undefined>>;

/** Throws `StartRefusal` for an invalid listen address, as the gateway does. */
export function listenHosts(environment: Environment): ListenHosts {
  const host = (variable: string) => boundHost(variable, environment[variable]?.trim() || anyPort);
  return {
    http: host('MGMT_LISTEN'),
    https: host('HTTPS_LISTEN'),
    rtmp: host('RTMP_LISTEN'),
    rtmps: host('RTMPS_LISTEN'),
    rtsp: host('RTSP_LISTEN'),
    rtsps: host('RTSPS_LISTEN'),
    srt: host('SRT_LISTEN'),
    rtc: host('RTC_LISTEN'),
  };
}

/** Host that a listener binds; undefined for the wildcard of either address family. */
function boundHost(variable: string, listen: string): string | undefined {
  const host = parseOptionalListenAddress(variable, listen)?.host;
  if (host === undefined || host === '0.0.0.0' || host === '::') return undefined;
  return host.includes(':') ? `[${host}]` : host;
}
