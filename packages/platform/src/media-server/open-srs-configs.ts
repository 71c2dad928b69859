// Generates SRS configurations from environment, bound ports, HLS settings, and the address of the console.
import { join } from 'node:path';
import { defaultRtcPort, defaultRtmpPort, defaultSrtPort } from '@srs-stack/contract';
import type { BoundPorts } from '@srs-stack/contract/wire/bound-ports.ts';
import type { PlatformEnv } from '../env.ts';
import type { HlsSettingsService } from './hls-settings.ts';
import { type SrsConfig, srsConfigs } from './srs-configs.ts';
import { quoted, vhostConfigText } from './vhost-config.ts';

export interface SrsConfigs {
  /** `origin`: address of the console, for SRS servers on other machines. */
  query(origin: string): Promise<SrsConfig[]>;
}

export interface SrsConfigsDeps {
  readonly env: Pick<
    PlatformEnv,
    'dataDir' | 'hlsPath' | 'srsApiServers' | 'srsHttpServers' | 'shownPorts' | 'candidates' | 'callbackSecret'
  >;
  readonly boundPorts: () => Promise<BoundPorts | undefined>;
  readonly hls: Pick<HlsSettingsService, 'current'>;
  readonly isHlsEnabled: () => boolean;
}

const defaultHttpPort = 2022;

export function createSrsConfigs({ env, boundPorts, hls, isHlsEnabled }: SrsConfigsDeps): SrsConfigs {
  return {
    async query(origin) {
      const { dataDir, hlsPath, shownPorts } = env;
      const bound = await boundPorts();
      // `null` means that the environment disables the port.
      const port = (shown: string, now: number | null | undefined, fallback: string) =>
        now === null ? null : Number(shown || now || fallback);
      const settings = { ...(await hls.current()), isEnabled: isHlsEnabled() };
      return srsConfigs({
        apis: env.srsApiServers,
        https: env.srsHttpServers,
        ports: {
          rtmp: port(shownPorts.rtmp, bound?.rtmp, defaultRtmpPort) ?? Number(defaultRtmpPort),
          srt: port(shownPorts.srt, bound?.srt, defaultSrtPort),
          rtc: port(shownPorts.rtc, bound?.rtc, defaultRtcPort),
        },
        candidates: env.candidates,
        callbacks: {
          host: hostOf(origin),
          port: bound?.http ?? defaultHttpPort,
          secret: env.callbackSecret,
        },
        hlsPath,
        vhostFile: join(dataDir, 'config', 'srs.vhost.conf'),
        hlsBlock: vhostConfigText(settings, quoted(hlsPath), 'srs'),
      });
    },
  };
}

/** Host name of the console's address. The Host header is untrusted, so loopback replaces a name that is invalid in a configuration. */
function hostOf(origin: string): string {
  const host = (URL.parse(origin)?.hostname ?? '').replace(/^\[|\]$/g, '');
  return /^[\w.:-]+$/.test(host) ? host : '127.0.0.1';
}
