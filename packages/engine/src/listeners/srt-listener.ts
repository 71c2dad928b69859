// UDP listener of SRT: many callers on one port, each admitted by its stream id.
import { createHmac } from 'node:crypto';
import { parseSrtAddress } from '@srs-stack/media/protocols/srt/srt-address.ts';
import { plainAddress } from '@srs-stack/process/ip-address.ts';
import {
  type ConnectionRequest,
  machineClockOffsetUs,
  type PortMember,
  rejectReason,
  SrtListener,
} from '@srs-stack/srt';
import { SharedOutputs } from '../egress/shared-outputs.ts';
import { SrtBroadcast } from '../egress/srt/srt-broadcast.ts';
import type { EngineConfig, SrtConfig } from '../engine-config.ts';
import { faultReporter } from '../faults.ts';
import type { StreamHub } from '../hub/stream-hub.ts';
import { loggedStreamId } from '../logged-name.ts';
import type { DatagramRelay, DatagramSource, EnginePorts } from '../ports.ts';
import type { PlayGate } from '../sessions/gate/play-gate.ts';
import type { Refusals } from '../sessions/gate/refusals.ts';
import { admitSrtCaller } from '../sessions/srt/srt-session.ts';

export interface SrtListenerOptions {
  readonly hub: StreamHub;
  readonly ports: EnginePorts;
  readonly srt: SrtConfig;
  readonly gopCache: EngineConfig['gopCache'];
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  readonly gate: PlayGate;
  readonly refusals: Refusals;
}

export interface EngineSrtListener {
  /** Binds the configured port; returns the bound port. Rejects with the system error. */
  listen(): Promise<number>;
  handleDatagram(datagram: Buffer, remote: DatagramSource): void;
  /** Ends every connection with a shutdown packet. Idempotent. */
  close(): void;
}

export function createSrtListener(options: SrtListenerOptions): EngineSrtListener {
  const { hub, ports, gate, refusals, srt, gopCache, clock } = options;
  const broadcasts = new SharedOutputs(hub, () => new SrtBroadcast(gopCache));
  const listener = new SrtListener(
    {
      ...{ receiverLatencyMs: srt.latencyMs, senderLatencyMs: srt.latencyMs },
      ...(srt.passphrase ? { passphrase: srt.passphrase } : {}),
      ...(ports.relay && { member: memberOf(ports.relay) }),
    },
    {
      onMisdelivered: (datagram, remote, gateway) => ports.relay?.send(gateway, datagram, remote),
      onRequest: (request: ConnectionRequest) => {
        const { address } = request.remote;
        admitSrtCaller(request, { hub, ports, gate, refusals, broadcasts, clock, wake }).catch((error: unknown) =>
          reportBug(address, error),
        );
      },
      onFault: ({ address }, error) => reportBug(address, error),
      onRefused: ({ address }, code, streamId) => reportRefusedHandshake(address, code, streamId),
      onError: (error) => ports.log.error({ err: error }, 'SRT socket failed'),
    },
  );

  const onFault = faultReporter(ports);
  const reportBug = (ip: string, error: unknown): void =>
    onFault(error, { protocol: 'srt', ip: plainAddress(ip) }, 'session failed and was closed');

  /** Reports a caller that was refused before its session started: wrong encryption, or an unsupported mode. */
  function reportRefusedHandshake(address: string, code: number, streamId: string): void {
    const ip = plainAddress(address);
    const isPassphrase = code === rejectReason.badSecret || code === rejectReason.unsecure;
    const reason = isPassphrase ? 'passphrase-wrong' : 'protocol-error';
    const detail = isPassphrase
      ? 'the passphrase of the caller is missing or wrong'
      : `the caller requests an unsupported mode (SRT code ${code})`;
    ports.log.warn({ ip, streamId: loggedStreamId(streamId), reason, detail }, 'SRT handshake refused');
    const { mode, app, stream } = guessAddress(streamId);
    const action = mode === 'publish' ? 'publish' : 'play';
    refusals.record({ protocol: 'srt', action, ip, app, stream, reason, detail });
  }

  const wake = oncePerTurn(() => listener.wake());

  return {
    listen: () => listener.listen(srt.port, srt.host, srt.reusePort),
    handleDatagram: (datagram, remote) => listener.handleDatagram(datagram, remote),
    close: () => listener.close(),
  };
}

function memberOf({ index, count, secret }: DatagramRelay): PortMember {
  const cookieSecret = createHmac('sha256', secret).update('SRT handshake cookies').digest();
  return { index, count, cookieSecret, clockOffsetUs: machineClockOffsetUs() };
}

/** Calls `wake` once for all payloads of one turn of the event loop. */
function oncePerTurn(wake: () => void): () => void {
  let isPending = false;
  return () => {
    if (isPending) return;
    isPending = true;
    setImmediate(() => {
      isPending = false;
      wake();
    });
  };
}

/** Mode, app and stream of a caller's stream id; empty strings if invalid. */
function guessAddress(streamId: string): { mode: string; app: string; stream: string } {
  try {
    return parseSrtAddress(streamId);
  } catch {
    return { mode: '', app: '', stream: '' };
  }
}
