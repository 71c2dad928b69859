// The TCP listeners of this product, and the variables that configure the ports of the engine.
import type { BoundPorts } from '@srs-stack/contract/wire/bound-ports.ts';
import { EngineStartError } from '@srs-stack/engine';
import { listenProblem, listenRefusal } from '@srs-stack/process/start-refusal.ts';
import type { GatewayEnv } from './env.ts';

/** TCP listeners of this product, which must not be backends of proxied paths. */
export function ownListeners(ports: BoundPorts, env: GatewayEnv): { port: number }[] {
  const bound = [ports.http, ports.https, ports.rtmp, ports.rtmps, ports.rtsp, ports.rtsps, ports.srsApi];
  return [
    ...bound.filter((port) => port !== undefined).map((port) => ({ port })),
    ...('port' in env.platform ? [env.platform] : []),
    ...[env.cluster?.listen, env.rtcTcpListen].filter((address) => address !== undefined),
  ];
}

/** Adds the name of the configuring variable to the error of an engine port that could not be bound. */
export function engineFailure(error: unknown, env: GatewayEnv): unknown {
  if (!(error instanceof EngineStartError)) return error;
  const [variable, address] = engineListener(error, env);
  return listenRefusal(variable, address ?? { port: 0 }, error.cause);
}

/** Error message for an optional engine port that could not be bound. Names the variable that configures the port. */
export function unboundProblem(error: EngineStartError, env: GatewayEnv): string {
  const [variable, address] = engineListener(error, env);
  return listenProblem(variable, address ?? { port: 0 }, error.cause);
}

function engineListener({ protocol }: EngineStartError, env: GatewayEnv) {
  const listeners: Record<EngineStartError['protocol'], [string, GatewayEnv['rtspListen']]> = {
    rtmp: ['RTMP_LISTEN', env.rtmpListen],
    rtmps: ['RTMPS_LISTEN', env.rtmpsListen],
    rtsp: ['RTSP_LISTEN', env.rtspListen],
    rtsps: ['RTSPS_LISTEN', env.rtspsListen],
    'rtsp-udp': ['RTSP_UDP_LISTEN', env.rtspUdpListen],
    srt: ['SRT_LISTEN', env.srtListen],
    rtc: ['RTC_LISTEN', env.rtcListen],
    'rtc-tcp': ['RTC_TCP_LISTEN', env.rtcTcpListen],
  };
  return listeners[protocol];
}
