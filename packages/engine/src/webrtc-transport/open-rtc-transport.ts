// Which WebRTC carries the sessions: our own port where it can be had, the library where the addon was not built for the machine, or where
// each peer is to have a port of its own.
import { addonProblem } from '@srs-stack/rtc';
import type { RtcConfig } from '../engine-config.ts';
import type { EngineLogger } from '../ports.ts';
import type { RtcTransport } from './webrtc-transport.ts';

/** Binds; rejects with the system error when the port is taken. */
export async function openRtcTransport(config: RtcConfig, log: EngineLogger): Promise<RtcTransport> {
  if (config.transport !== 'node-datachannel' && !config.portRange) {
    const problem = addonProblem();
    if (problem === undefined) {
      const { createRtcPortTransport } = await import('./rtc-port-transport.ts');
      return createRtcPortTransport(config, log);
    }
    log.warn({ problem }, 'WebRTC uses node-datachannel: the addon of packages/rtc cannot be loaded');
  }
  if (config.tcp)
    log.warn({}, 'WebRTC over TCP needs our own transport, which this machine or its settings do not have');
  const { createNodeDatachannelTransport } = await import('./node-datachannel-transport.ts');
  return createNodeDatachannelTransport(config, log);
}
