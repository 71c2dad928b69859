// Outgoing callbacks. The operator's service authorizes publishers and viewers, and receives notices of other events. Notices are sent in
// the background and never fail a call.
import { AppError, changed, defaultVhost, type HookDelivery, switched, verbatim } from '@srs-stack/contract';
import type { Log } from '@srs-stack/process/log.ts';
import type { Actor } from '../actor.ts';
import type { AuditTrail } from '../store/audit-trail.ts';
import type { Store } from '../store/store.ts';
import { type CallbackEvent, callbackBody, testBody } from './callback-body.ts';
import { createCallbackExchanges, type Exchange, type Outgoing } from './callback-exchange.ts';
import { callbackTimeoutMs, lastNoticesMs, maxCallbacksUnderWay, maxPlaysUnderWay } from './callback-limits.ts';
import { maskBody, maskTarget } from './callback-mask.ts';
import { type PostCallback, postCallback } from './callback-post.ts';
import { type CallbackSettings, type LastExchange, openCallbackSettings } from './callback-settings.ts';
import { cacheSecondsOf } from './callback-verdict.ts';
import { NoticeLanes } from './notice-lanes.ts';
import { streamUrl } from './stream-url.ts';
import { parseTarget } from './target-address.ts';

type PlayEvent = Extract<CallbackEvent, { action: 'on_play' }>;
type PublishEvent = Extract<CallbackEvent, { action: 'on_publish' | 'on_unpublish' }>;

interface SettingsChange {
  readonly all: boolean;
  readonly target: string;
  readonly opaque: string;
  /** Base URL of links to recordings. If empty, `origin` is stored. */
  readonly host: string;
  readonly revision?: number | undefined;
  /** Base URL to which the console sent the call. */
  readonly origin: string;
  readonly actor: Actor;
}

export interface Callbacks {
  settings(): CallbackSettings & LastExchange;
  /** Throws `addressRefused` for a forbidden target, `settingsChanged` for an outdated revision. */
  change(next: SettingsChange): Promise<void>;
  /** Requests authorization of a publisher. Resolves immediately while callbacks are off. Throws `callbackRefused` with the reason. */
  askPublish(event: PublishEvent): Promise<void>;
  /**
   * Requests authorization of a viewer. Resolves with the validity in seconds, or undefined. Throws `callbackRefused` with the reason. Also
   * throws while callbacks are off, because no service can approve.
   */
  askPlay(event: PlayEvent): Promise<number | undefined>;
  /** Sends a notice; returns immediately and never throws. */
  notify(event: CallbackEvent): void;
  /** Sends one test body, even while callbacks are off. Throws `addressRefused`. */
  test(target: string, opaque: string): Promise<HookDelivery>;
  deliveries(count: number): Promise<HookDelivery[]>;
  /** Drops queued notices. Resolves when no notice is running. */
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
  const { store } = deps;
  const settings = await openCallbackSettings(store);
  return new HttpCallbacks(deps, settings);
}

class HttpCallbacks implements Callbacks {
  readonly #deps: CallbacksDeps;
  readonly #settings: Awaited<ReturnType<typeof openCallbackSettings>>;
  readonly #exchanges: ReturnType<typeof createCallbackExchanges>;
  readonly #timeoutMs: number;
  readonly #lanes = new NoticeLanes();
  readonly #stopping = new AbortController();
  #underWay = 0;
  #playsUnderWay = 0;

  constructor(deps: CallbacksDeps, settings: Awaited<ReturnType<typeof openCallbackSettings>>) {
    this.#deps = deps;
    this.#settings = settings;
    this.#exchanges = createCallbackExchanges({
      store: deps.store,
      log: deps.log,
      now: deps.now,
      post: deps.post ?? postCallback,
    });
    this.#timeoutMs = deps.timeoutMs ?? callbackTimeoutMs;
  }

  settings(): CallbackSettings & LastExchange {
    return { ...this.#settings.current(), ...this.#settings.last() };
  }

  async change({ all, target, opaque, host, revision, origin, actor }: SettingsChange): Promise<void> {
    const url = target.trim();
    if (url !== '') parseTarget(url);
    const base = host.trim() === '' ? origin : parseTarget(host).toString().replace(/\/+$/, '');
    await this.#settings.save({ all, target: url, opaque, host: base }, revision);
    const shown = maskTarget(url) || changed('amount.none');
    await this.#deps.audit.record(
      'setting-changed',
      actor,
      changed('callbacks.saved', { state: switched(all), target: shown }),
    );
  }

  async askPublish(event: PublishEvent): Promise<void> {
    const { all, target } = this.#settings.current();
    if (!all || target === '') return;
    if (this.#underWay - this.#playsUnderWay >= maxCallbacksUnderWay)
      throw new AppError('callbackRefused', verbatim('too many callbacks are waiting for the target'));
    const startedAt = performance.now();
    await Promise.race([this.#lanes.settled(laneOf(event)), elapsed(this.#timeoutMs / 2)]);
    const exchange = await this.#deliver(event, this.#timeoutMs - (performance.now() - startedAt));
    const judgement = exchange?.judgement;
    if (judgement && judgement.outcome !== 'accepted')
      throw new AppError('callbackRefused', verbatim(judgement.detail));
  }

  async askPlay(event: PlayEvent): Promise<number | undefined> {
    if (this.#playsUnderWay >= maxPlaysUnderWay)
      throw new AppError('callbackRefused', verbatim('too many callbacks about viewers are waiting for the target'));
    this.#playsUnderWay += 1;
    const exchange = await this.#deliver(event, this.#timeoutMs).finally(() => {
      this.#playsUnderWay -= 1;
    });
    if (!exchange) throw new AppError('callbackRefused', verbatim('callbacks are off'));
    const { judgement, response } = exchange;
    if (judgement.outcome !== 'accepted') throw new AppError('callbackRefused', verbatim(judgement.detail));
    return response.kind === 'response' ? cacheSecondsOf(response.text) : undefined;
  }

  notify(event: CallbackEvent): void {
    const { all, target } = this.#settings.current();
    if (!all || target === '') return;
    this.#lanes.push(laneOf(event), () =>
      this.#deliver(event, this.#timeoutMs).then(
        () => undefined,
        (error) => this.#deps.log.error({ err: error, action: event.action }, 'callback not sent'),
      ),
    );
  }

  async test(target: string, opaque: string): Promise<HookDelivery> {
    const url = parseTarget(target).toString();
    const { host } = this.#settings.current();
    const { delivery } = await this.#run({
      ...{ action: 'test', target: url, opaque, host, toBody: testBody },
      timeoutMs: this.#timeoutMs,
      signal: this.#stopping.signal,
    });
    return delivery;
  }

  deliveries(count: number): Promise<HookDelivery[]> {
    return this.#exchanges.newest(count);
  }

  async close(): Promise<void> {
    const cut = setTimeout(() => this.#stopping.abort(), lastNoticesMs).unref();
    await this.#lanes.close();
    clearTimeout(cut);
    if (this.#lanes.dropped > 0) this.#deps.log.warn({ dropped: this.#lanes.dropped }, 'callbacks were dropped');
  }

  async #run(outgoing: Outgoing): Promise<Exchange> {
    this.#underWay += 1;
    try {
      return await this.#exchanges.run(outgoing);
    } finally {
      this.#underWay -= 1;
    }
  }

  /** Stores the last exchange, which the settings show. A storage failure must not fail the event. */
  async #remember({ body, response }: Exchange): Promise<void> {
    const req = JSON.stringify(maskBody(body, { hidesOpaque: false }));
    const hasResponse = response.kind === 'response' && response.status === 200;
    await this.#settings
      .remember({ req, res: hasResponse ? response.text : '' })
      .catch((error) => this.#deps.log.error({ err: error }, 'callback could not be stored for the settings page'));
  }

  async #deliver(event: CallbackEvent, waitMs: number): Promise<Exchange | undefined> {
    const { all, target, opaque, host } = this.#settings.current();
    if (!all || target === '') return undefined;
    const toBody: Outgoing['toBody'] = (context) => callbackBody(event, context);
    const exchange = await this.#run({
      action: event.action,
      target,
      opaque,
      host,
      timeoutMs: waitMs,
      signal: this.#stopping.signal,
      toBody,
    });
    await this.#remember(exchange);
    return exchange;
  }
}

function laneOf({ vhost, app, stream }: CallbackEvent): string {
  return streamUrl({ vhost: vhost || defaultVhost, app, stream });
}

function elapsed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
