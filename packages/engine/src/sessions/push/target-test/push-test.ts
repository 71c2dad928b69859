// One test of a target. Uses the connections of real pushes and a separate hub, so that no other session sees the test stream.
import { parsePublishAddress } from '@srs-stack/media/protocols/rtmp/publish-address.ts';
import { parseSrtTarget } from '@srs-stack/media/protocols/srt/srt-target.ts';
import { defaultVhost } from '@srs-stack/media/stream-key.ts';
import { StreamHub } from '../../../hub/stream-hub.ts';
import { RtmpPublisher } from '../../../ingest/rtmp-publisher.ts';
import type { SessionInfo } from '../../../session-info.ts';
import { maskOf } from '../../../util/address-secrets.ts';
import type { PushConnection } from '../push-connection.ts';
import { PushConnector, type PushConnectorOptions } from '../push-connector.ts';
import type { PushFailure } from '../push-status.ts';
import { blackClip, type ClipTag } from './black-clip.ts';
import type { PushTestOrder, PushTestSnapshot, PushTestState, PushTestStep } from './push-test-status.ts';

/** Time to wait after the target accepted the test, milliseconds. Some servers accept first, check the key later and then close. */
const settleMs = 1_000;

export interface PushTestOptions extends Omit<PushConnectorOptions, 'hub'> {
  readonly log: ConstructorParameters<typeof StreamHub>[0]['log'];
}

/** Time limits that never apply, because the hub of a test is not ticked. */
const neverSilent = { takeoverSilenceMs: 0, firstPacketTimeoutMs: 0, publisherTimeoutMs: 0 };

const session: SessionInfo = {
  ...{ vhost: defaultVhost, app: 'test', stream: 'test', clientId: '', type: 'fmle-publish' },
  ...{ ip: '', param: '', tcUrl: '', pageUrl: '' },
};

interface StepResult {
  readonly step: PushTestStep;
  state: PushTestState;
  ms: number;
}

export class PushTest {
  readonly #order: PushTestOrder;
  readonly #clock: () => number;
  readonly #hub: StreamHub;
  readonly #publisher: RtmpPublisher;
  #connection: PushConnection | undefined;
  #steps: StepResult[];
  #stepAtMs: number;
  #readyAtMs: number | undefined;
  #clip: ClipTag[] = [];
  #failure: PushFailure | undefined;
  #fourCcs: readonly string[] | undefined;
  #isDone = false;

  constructor(order: PushTestOrder, options: PushTestOptions) {
    const { log, clock, config } = options;
    this.#order = order;
    this.#clock = clock;
    this.#stepAtMs = clock();
    this.#steps = stepsOf(order).map((step) => ({ step, state: 'pending', ms: 0 }));
    this.#hub = new StreamHub({ config: { ...neverSilent, gopCache: config.gopCache }, log, clock });
    const published = this.#hub.publish(session, { close: () => undefined }, clock());
    if (!published.ok) throw new Error('the test stream for the target could not be started');
    this.#publisher = new RtmpPublisher(published.publication, { log, clock });
    this.#connection = new PushConnector({ ...options, hub: this.#hub }).connect(order, published.publication.stream, {
      onStep: (step) => this.#onStep(step),
      onAnnounced: (fourCcs) => {
        this.#fourCcs = fourCcs && [...fourCcs];
      },
      onReady: () => this.#onReady(),
      onFailed: (failure) => this.#onFailed(failure),
      onStreamEnd: () => undefined,
    });
  }

  get isDone(): boolean {
    return this.#isDone;
  }

  snapshot(): PushTestSnapshot {
    const steps = this.#steps.map((each) => ({ ...each }));
    return { id: this.#order.id, isDone: this.#isDone, steps, failure: this.#failure, fourCcs: this.#fourCcs };
  }

  /** Applies the time limits and sends due media. Call a few times per second. */
  tick(now: number): void {
    if (this.#isDone) return;
    this.#connection?.tick(now);
    if (this.#isDone || this.#readyAtMs === undefined) return;
    this.#send(now - this.#readyAtMs);
    if (this.#clip.length > 0 || (this.#connection?.metrics.queuedBytes ?? 0) > 0) this.#stepAtMs = now;
    else if (now - this.#stepAtMs >= settleMs) {
      this.#pass(this.#steps.at(-1)?.step ?? 'publish');
      this.#end();
    }
  }

  close(): void {
    if (!this.#isDone) this.#end();
  }

  #onStep(step: PushTestStep): void {
    if (this.#isDone) return;
    // A redirect or a challenge restarts the attempt.
    if (step === 'name') for (const each of this.#steps) each.state = 'pending';
    this.#pass(step);
    const isLast = this.#steps.at(-1)?.step === step;
    // Ends the test immediately, so that no further request is sent to the target.
    if (isLast) this.#end();
  }

  #onFailed({ reason, detail }: PushFailure): void {
    if (this.#isDone) return;
    this.#failure = { reason, detail: maskOf(this.#order)(detail) };
    const open = this.#steps.filter(({ state }) => state !== 'passed');
    // When a target closes after all steps have passed, the last step counts as failed.
    const failed = open[0] ?? this.#steps.at(-1);
    for (const each of open) each.state = 'skipped';
    if (failed) Object.assign(failed, { state: 'failed', ms: Math.round(this.#clock() - this.#stepAtMs) });
    this.#end();
  }

  #onReady(): void {
    this.#pass('publish');
    this.#readyAtMs = this.#clock();
    if (this.#order.sends === 'media') this.#clip = blackClip();
    this.#send(0);
  }

  #send(untilMs: number): void {
    while (this.#clip.length > 0 && this.#clip[0]!.timestampMs <= untilMs) {
      const { type, body, timestampMs } = this.#clip.shift()!;
      this.#publisher.handleMessage({ typeId: type, payload: body, timestamp: timestampMs, streamId: 1 });
    }
  }

  #pass(step: PushTestStep): void {
    const now = this.#clock();
    const found = this.#steps.find((each) => each.step === step);
    if (found) Object.assign(found, { state: 'passed', ms: Math.round(now - this.#stepAtMs) });
    this.#stepAtMs = now;
  }

  #end(): void {
    this.#isDone = true;
    this.#clip = [];
    this.#connection?.close();
    this.#hub.close();
  }
}

function stepsOf({ server, key, sends }: PushTestOrder): readonly PushTestStep[] {
  const media = sends === 'media' ? (['media'] as const) : [];
  // An SRT caller sends the stream name in the handshake, so one response covers all steps.
  if (parseSrtTarget(server)) return sends === 'nothing' ? ['name'] : ['name', 'connect', ...media];
  const isTls = parsePublishAddress(server, key)?.isTls ?? false;
  const publish = sends === 'nothing' ? [] : (['publish', ...media] as const);
  return ['name', 'port', ...(isTls ? (['tls'] as const) : []), 'connect', ...publish];
}
