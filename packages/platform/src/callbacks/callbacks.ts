// Outgoing callbacks: the operator's own service is asked about publishers and told about everything else. Only the
// verdict on a publisher waits for it; notices go out on their own and never fail anybody.
import { AppError, changed, defaultVhost, type HookDelivery, switched, verbatim } from '@srs-stack/contract';
import type { Log } from '@srs-stack/process/log.ts';
import type { AuditTrail } from '../store/audit-trail.ts';
import type { Store } from '../store/store.ts';
import { type CallbackEvent, callbackBody, testBody } from './callback-body.ts';
import { createCallbackExchanges, type Exchange, type Outgoing } from './callback-exchange.ts';
import { callbackTimeoutMs, lastNoticesMs, maxCallbacksUnderWay } from './callback-limits.ts';
import { maskBody, maskTarget } from './callback-mask.ts';
import { type PostCallback, postCallback } from './callback-post.ts';
import { type CallbackSettings, type LastExchange, openCallbackSettings } from './callback-settings.ts';
import { NoticeLanes } from './notice-lanes.ts';
import { streamUrl } from './stream-url.ts';
import { parseTarget } from './target-address.ts';

type PublishEvent = Extract<CallbackEvent, { action: 'on_publish' | 'on_unpublish' }>;

interface SettingsChange {
  readonly all: boolean;
  readonly target: string;
  readonly opaque: string;
  /** Empty: `origin` is stored. */
  readonly host: string;
  readonly revision?: number | undefined;
  /** Base URL the call was sent to. */
  readonly origin: string;
  readonly ip: string;
}

export interface Callbacks {
  settings(): CallbackSettings & LastExchange;
  /** Throws `addressRefused` for a target that must not be contacted, `settingsChanged` for an old revision. */
  change(next: SettingsChange): Promise<void>;
  /** Asks about a publisher. Throws `callbackRefused` with the reason; resolves at once while callbacks are off. */
  askPublish(event: PublishEvent): Promise<void>;
  /** Tells what happened; returns at once and never throws. */
  notify(event: CallbackEvent): void;
  /** Sends one test body, whatever the switch says. Throws `addressRefused`. */
  test(target: string, opaque: string): Promise<HookDelivery>;
  deliveries(count: number): Promise<HookDelivery[]>;
  /** Forgets waiting notices and resolves when none is under way. */
  close(): Promise<void>;
}

export interface CallbacksDeps {
  readonly store: Store;
  readonly audit: AuditTrail;
  readonly log: Log;
  readonly now: () => Date;
  readonly post?: PostCallback;
  readonly timeoutMs?: number;
}

export async function openCallbacks(deps: CallbacksDeps): Promise<Callbacks> {
  const { store, audit, log, now, post = postCallback, timeoutMs = callbackTimeoutMs } = deps;
  const settings = await openCallbackSettings(store);
  const exchanges = createCallbackExchanges({ store, log, now, post });
  const lanes = new NoticeLanes();
  const stopping = new AbortController();
  const { signal } = stopping;
  let underWay = 0;

  const run = async (outgoing: Outgoing): Promise<Exchange> => {
    underWay += 1;
    try {
      return await exchanges.run(outgoing);
    } finally {
      underWay -= 1;
    }
  };

  /** `req` and `res` of the settings call; losing them must not fail the event. */
  const remember = async ({ body, answer }: Exchange): Promise<void> => {
    const req = JSON.stringify(maskBody(body, { hidesOpaque: false }));
    const hasAnswer = answer.kind === 'answer' && answer.status === 200;
    await settings
      .remember({ req, ...(hasAnswer ? { res: answer.text } : {}) })
      .catch((error) => log.error({ err: error }, 'last callback not stored'));
  };

  const deliver = async (event: CallbackEvent, waitMs: number): Promise<Exchange | undefined> => {
    const { all, target, opaque, host } = settings.current();
    if (!all || target === '') return undefined;
    const toBody: Outgoing['toBody'] = (context) => callbackBody(event, context);
    const exchange = await run({ action: event.action, target, opaque, host, timeoutMs: waitMs, signal, toBody });
    await remember(exchange);
    return exchange;
  };

  return {
    settings: () => ({ ...settings.current(), ...settings.last() }),

    async change({ all, target, opaque, host, revision, origin, ip }) {
      const url = target.trim();
      if (url !== '') parseTarget(url);
      const base = host.trim() === '' ? origin : parseTarget(host).toString().replace(/\/+$/, '');
      await settings.save({ all, target: url, opaque, host: base }, revision);
      const shown = maskTarget(url) || changed('amount.none');
      await audit.record('setting-changed', ip, changed('callbacks.saved', { state: switched(all), target: shown }));
    },

    async askPublish(event) {
      const { all, target } = settings.current();
      if (!all || target === '') return;
      if (underWay >= maxCallbacksUnderWay)
        throw new AppError('callbackRefused', verbatim('too many callbacks are waiting'));
      const startedAt = performance.now();
      await Promise.race([lanes.settled(laneOf(event)), elapsed(timeoutMs / 2)]);
      const exchange = await deliver(event, timeoutMs - (performance.now() - startedAt));
      const judgement = exchange?.judgement;
      if (judgement && judgement.outcome !== 'accepted')
        throw new AppError('callbackRefused', verbatim(judgement.detail));
    },

    notify(event) {
      const { all, target } = settings.current();
      if (!all || target === '') return;
      lanes.push(laneOf(event), () =>
        deliver(event, timeoutMs).then(
          () => undefined,
          (error) => log.error({ err: error, action: event.action }, 'callback not sent'),
        ),
      );
    },

    async test(target, opaque) {
      const url = parseTarget(target).toString();
      const { host } = settings.current();
      return (await run({ action: 'test', target: url, opaque, host, timeoutMs, signal, toBody: testBody })).delivery;
    },

    deliveries: (count) => exchanges.newest(count),

    async close() {
      const cut = setTimeout(() => stopping.abort(), lastNoticesMs).unref();
      await lanes.close();
      clearTimeout(cut);
      if (lanes.dropped > 0) log.warn({ dropped: lanes.dropped }, 'callbacks were dropped');
    },
  };
}

function laneOf({ vhost, app, stream }: CallbackEvent): string {
  return streamUrl({ vhost: vhost || defaultVhost, app, stream });
}

function elapsed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
