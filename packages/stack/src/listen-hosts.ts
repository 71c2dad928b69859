// Addresses of the machine that the `*_LISTEN` variables bind. The banner prints only these addresses. The checks of readiness and health
// connect to the address of HTTP.
import { parseOptionalListenAddress } from '@srs-stack/process/listen-address.ts';
import type { Environment } from './environment.ts';

type Listener = 'http' | 'https' | 'rtmp' | 'rtmps' | 'rtsp' | 'rtsps' | 'srt' | 'rtc';

const anyPort = '0';

/** The host that each listener binds, as in URLs; undefined: all addresses of the machine. */
export type ListenHosts = Readonly<Record<Listener, string | undefined>>;

/** Reads the hosts from the variables. Like the gateway, throws `StartRefusal` for an invalid listen address. */
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

/** The host that a listener binds; undefined for `0.0.0.0` and `::`. */
function boundHost(variable: string, listen: string): string | undefined {
  const host = parseOptionalListenAddress(variable, listen)?.host;
  if (host === undefined || host === '0.0.0.0' || host === '::') return undefined;
  return host.includes(':') ? `[${host}]` : host;
}
