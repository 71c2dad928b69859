// The play gate as the engine builds it, with a list of refusals in order.
import type { StreamHub } from '../src/hub/stream-hub.ts';
import type { EnginePorts } from '../src/ports.ts';
import type { Refusal } from '../src/session-info.ts';
import { PlayGate } from '../src/sessions/gate/play-gate.ts';
import { Refusals } from '../src/sessions/gate/refusals.ts';

class RecordedRefusals extends Refusals {
  readonly inOrder: Refusal[] = [];

  override record(refusal: Omit<Refusal, 'atMs'>): void {
    super.record(refusal);
    this.inOrder.push(...this.all().slice(0, 1));
  }
}

export interface OpenGate {
  readonly gate: PlayGate;
  readonly refusals: RecordedRefusals;
}

export function openGate(hub: StreamHub, ports: EnginePorts, { maxConnections = 100 } = {}): OpenGate {
  const refusals = new RecordedRefusals(ports.log, Date.now);
  return { refusals, gate: new PlayGate({ hub, ports, refusals, maxConnections }) };
}
