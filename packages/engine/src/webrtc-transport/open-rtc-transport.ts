// Selects the WebRTC transport. The built-in transport is the default. libdatachannel is used when it is configured, when the addon is
// unavailable on this machine, or when each peer needs a separate port.
import { addonProblem } from '@srs-stack/rtc';
import type { RtcConfig } from '../engine-config.ts';
import type { EngineLogger } from '../ports.ts';
import type { RtcTransport } from './webrtc-transport.ts';

/** For a port in use, rejects with the system error, or with an `EngineStartError` for the TCP port. */
export async function openRtcTransport(config: RtcConfig, log: EngineLogger): Promise<RtcTransport> {
  if (config.transport !== 'node-datachannel' && !config.portRange) {
    const problem = addonProblem();
    if (problem === undefined) {
      const { createRtcPortTransport } = await import('./rtc-port-transport.ts');
      return createRtcPortTransport(config, log);
    }
    log.warn({ problem }, 'WebRTC uses node-datachannel, because the addon of packages/rtc cannot be loaded');
  }
  if (config.tcp)
    log.warn(
      {},
      'WebRTC over TCP is disabled: the built-in transport is not available on this machine or with these settings',
    );
  const { createNodeDatachannelTransport } = await import('./node-datachannel-transport.ts');
  return createNodeDatachannelTransport(config, log);
}
