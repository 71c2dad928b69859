// Runs one callback: creates the body, sends the body, evaluates the response, and adds an entry to the delivery log.
import { randomUUID } from 'node:crypto';
import { type HookDelivery, hookDelivery, maxHookDeliveries } from '@srs-stack/contract';
import type { Log } from '@srs-stack/process/log.ts';
import type { LogType, Store } from '../store/store.ts';
import type { BodyContext, CallbackAction } from './callback-body.ts';
import { maxLoggedRequest, maxLoggedResponse } from './callback-limits.ts';
import { maskBody, maskTarget } from './callback-mask.ts';
import type { PostCallback } from './callback-post.ts';
import { type CallbackResponse, type Judgement, judge } from './callback-verdict.ts';

const deliveryLog: LogType<HookDelivery> = {
  name: 'callback-deliveries',
  schema: hookDelivery,
  capacity: maxHookDeliveries,
};

export interface Outgoing {
  readonly action: CallbackAction;
  readonly target: string;
  readonly opaque: string;
  readonly host: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  toBody(context: BodyContext): Record<string, unknown>;
}

export interface Exchange {
  readonly body: Record<string, unknown>;
  readonly response: CallbackResponse;
  readonly judgement: Judgement;
  readonly delivery: HookDelivery;
}

export interface CallbackExchanges {
  /** Sends one callback. Never rejects: the verdict contains the failure. */
  run(outgoing: Outgoing): Promise<Exchange>;
  newest(count: number): Promise<HookDelivery[]>;
}

export interface CallbackExchangesDeps {
  readonly store: Store;
  readonly log: Log;
  readonly now: () => Date;
  readonly post: PostCallback;
}

export function createCallbackExchanges({ store, log, now, post }: CallbackExchangesDeps): CallbackExchanges {
  const deliveries = store.log(deliveryLog);
  const record = (delivery: HookDelivery) =>
    deliveries
      .append(delivery)
      .catch((error) => log.error({ err: error }, 'callback could not be stored in the delivery log'));
  return {
    async run(outgoing) {
      const context = { requestId: randomUUID(), opaque: outgoing.opaque, host: outgoing.host, now: now() };
      const body = outgoing.toBody(context);
      const startedAt = performance.now();
      const response = await post(outgoing.target, JSON.stringify(body), outgoing);
      const durationMs = Math.round(performance.now() - startedAt);
      const judgement = judge(response);
      const delivery = toDelivery(outgoing, { context, body, response, judgement, durationMs });
      await record(delivery);
      report(log, delivery);
      return { body, response, judgement, delivery };
    },
    newest: (count) => deliveries.newest(count),
  };
}

interface Ended {
  readonly context: BodyContext;
  readonly body: Record<string, unknown>;
  readonly response: CallbackResponse;
  readonly judgement: Judgement;
  readonly durationMs: number;
}

function toDelivery({ action, target }: Outgoing, ended: Ended): HookDelivery {
  const { context, body, response, judgement, durationMs } = ended;
  return {
    id: context.requestId,
    at: context.now.toISOString(),
    action,
    target: maskTarget(target),
    request: JSON.stringify(maskBody(body, { hidesOpaque: true })).slice(0, maxLoggedRequest),
    ...(response.kind === 'response' ? { status: response.status } : {}),
    response: response.kind === 'response' ? response.text.slice(0, maxLoggedResponse) : '',
    durationMs,
    outcome: judgement.outcome,
    ...(judgement.outcome === 'accepted' ? { detail: '' } : { problem: judgement.problem, detail: judgement.detail }),
  };
}

function report(log: Log, { action, target, durationMs, outcome, status, detail }: HookDelivery): void {
  const fields = { action, target, durationMs, status, outcome };
  if (outcome === 'accepted') log.debug(fields, 'callback accepted');
  else log.warn({ ...fields, reason: detail }, 'callback not accepted');
}
