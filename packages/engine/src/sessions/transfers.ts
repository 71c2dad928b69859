// Streams that the host orders: sent to other servers, pulled from other servers, or played from files.
import type { EngineConfig } from '../engine-config.ts';
import type { ReportFault } from '../faults.ts';
import type { AudioBridge } from '../hub/audio-bridge.ts';
import type { EngineLogger, EnginePorts } from '../ports.ts';
import { Channels } from './channel/channels.ts';
import type { Copies } from './copy/copies.ts';
import type { CopySender } from './copy/copy-sender.ts';
import type { CopySource } from './gate/play-gate.ts';
import type { PublishGate } from './gate/publish-gate.ts';
import { Pulls } from './pull/pulls.ts';
import { Pushes } from './push/pushes.ts';
import { PushTests } from './push/target-test/push-tests.ts';

export interface TransfersOptions {
  readonly gate: PublishGate;
  readonly ports: EnginePorts;
  readonly config: EngineConfig;
  readonly bridge: AudioBridge;
  readonly copySender: Pick<CopySender, 'isSending'>;
  readonly copies: Copies | undefined;
  readonly log: EngineLogger;
  readonly onFault: ReportFault;
}

export class Transfers {
  readonly pushes: Pushes;
  readonly pushTests: PushTests;
  readonly pulls: Pulls;
  readonly channels: Channels;

  constructor({ gate, ports, config, bridge, copySender, copies, log, onFault }: TransfersOptions) {
    const { hub, clock } = gate;
    const outward = { log, onFault, clock, ...reachOf(ports) };
    this.pushes = new Pushes({ hub, config, bridge, ...outward });
    this.pushTests = new PushTests({ config, ...outward });
    const isSentOn: Pushes['has'] = (key) => copySender.isSending(key) || this.pushes.has(key);
    this.pulls = new Pulls({ gate, isSentOn, ...outward });
    this.channels = new Channels({ gate, ...outward, remote: sourceOf(this.pulls, copies), wallClock: Date.now });
  }

  close(): void {
    this.pushes.close();
    this.pushTests.close();
    this.pulls.close();
    this.channels.close();
  }
}

/** Sources that start when a viewer requests a stream. A copy from another gateway has priority over a pull on demand. */
export function sourceOf(pulls: Pulls, copies: Copies | undefined): CopySource {
  return {
    has: (key) => copies?.has(key) || pulls.has(key),
    ready: (key) => (copies?.has(key) ? copies.ready(key) : pulls.ready(key)),
  };
}

function reachOf({ mayContact = () => true, isSourceNetwork }: EnginePorts) {
  return { mayContact, isSourceNetwork };
}
