// Which addresses of the machine the `*_LISTEN` variables bind: the banner names no other, and readiness asks there.
import type { Environment } from './environment.ts';

type Listener = 'http' | 'https' | 'rtmp' | 'srt' | 'rtc';

/** The host each listener is bound to, as it stands in a URL; undefined: all addresses of the machine. */
export type ListenHosts = Readonly<Record<Listener, string | undefined>>;

export function listenHosts(environment: Environment): ListenHosts {
  const host = (variable: string) => boundHost(environment[variable] ?? '');
  return {
    http: host('MGMT_LISTEN'),
    https: host('HTTPS_LISTEN'),
    rtmp: host('RTMP_LISTEN'),
    srt: host('SRT_LISTEN'),
    rtc: host('RTC_LISTEN'),
  };
}

/** Everything before the port; the wildcards of both families mean all addresses. */
function boundHost(listen: string): string | undefined {
  const host = listen.trim().replace(/:?\d*$/, '');
  return ['', '0.0.0.0', '[::]', 'off'].includes(host.toLowerCase()) ? undefined : host;
}
