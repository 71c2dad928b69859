// Streams that gateways push to other servers (`config/pushes.json`) or pull from them (`config/pulls.json`). These transfers need no
// process, and a push and a pull have the same form of status.
import type { WorkerReason } from '@srs-stack/contract';
import type { SrsPullRow, SrsPushRow } from '@srs-stack/contract/wire/srs-rows.ts';
import type { Log } from '@srs-stack/process/log.ts';
import { type PullOrder, parsePullOrders, writePullOrders } from '@srs-stack/process/pull-orders.ts';
import { type PushOrder, parsePushOrders, writePushOrders } from '@srs-stack/process/push-orders.ts';
import { openEngineOrders } from './engine-orders.ts';

export type PushWish = Omit<PushOrder, 'id'>;
export type PullWish = Omit<PullOrder, 'id'>;

/** Status of a push or pull. For a pull, the counters of sent data contain the received data. */
export type TransferRow = Omit<SrsPushRow, 'reason' | 'state'> & {
  /** `idle`: an on-demand pull without viewers. */
  readonly state: SrsPushRow['state'] | 'idle';
  readonly reason: WorkerReason;
  readonly isPull?: true;
  /** Reported fault of a pull; absent for a push. */
  readonly fault?: SrsPullRow['fault'];
  readonly subject?: string;
};

export interface EngineTransfers {
  readonly canPush: boolean;
  readonly canPull: boolean;
  put(task: string, wish: PushWish | PullWish): Promise<void>;
  remove(task: string): Promise<void>;
  keepOnly(tasks: ReadonlySet<string>): Promise<void>;
  row(task: string): Promise<TransferRow | undefined>;
}

export interface EngineTransfersDeps {
  readonly files: { readonly pushes: string; readonly pulls: string };
  readonly gateways: { listPushes(): Promise<SrsPushRow[]>; listPulls(): Promise<SrsPullRow[]> };
  readonly isOn: { readonly pushes: boolean; readonly pulls: boolean };
  readonly log: Log;
  readonly nowMs?: () => number;
}

/**
 * States from most to least relevant. Several gateways can report one task: the gateway with the stream transfers it, the others report
 * `waiting`. The most relevant state is shown.
 */
const nearestPush = ['publishing', 'paused', 'connecting', 'retrying', 'waiting'] as const;
const nearestPull = ['pulling', 'connecting', 'retrying', 'waiting'] as const;
const stateOfPull = { pulling: 'publishing', connecting: 'connecting', retrying: 'retrying', waiting: 'idle' } as const;

/** Opens the orders for gateways. Resolves when the orders of the previous process are read. */
export async function openEngineTransfers(deps: EngineTransfersDeps): Promise<EngineTransfers> {
  const { files, gateways, isOn, ...rest } = deps;
  const pushes = await openEngineOrders<PushOrder, SrsPushRow>({
    ...{ ...rest, file: files.pushes, parse: parsePushOrders, write: writePushOrders },
    ...{ list: () => gateways.listPushes(), nearestFirst: nearestPush, isOn: isOn.pushes },
  });
  const pulls = await openEngineOrders<PullOrder, SrsPullRow>({
    ...{ ...rest, file: files.pulls, parse: parsePullOrders, write: writePullOrders },
    ...{ list: () => gateways.listPulls(), nearestFirst: nearestPull, isOn: isOn.pulls, adapts: ['onDemand'] },
  });
  return {
    canPush: pushes !== undefined,
    canPull: pulls !== undefined,
    async put(task, wish) {
      const orders = 'url' in wish ? pulls : pushes;
      if (!orders)
        throw new Error('this task requires a gateway that pushes and pulls streams, but this server has none');
      await (orders === pulls ? pushes : pulls)?.remove(task);
      if ('url' in wish) await pulls?.put(task, wish);
      else await pushes?.put(task, wish);
    },
    async remove(task) {
      await pushes?.remove(task);
      await pulls?.remove(task);
    },
    async keepOnly(tasks) {
      await pushes?.keepOnly(tasks);
      await pulls?.keepOnly(tasks);
    },
    async row(task) {
      const push = await pushes?.row(task);
      if (push) return push;
      const pull = await pulls?.row(task);
      return pull && toTransferRow(pull);
    },
  };
}

function toTransferRow({ state, receivedBytes, receivedFrames, pullingMs, ...row }: SrsPullRow): TransferRow {
  const { id, stream, reason, detail, fault, subject, retryInMs, reconnects, attemptMs } = row;
  return {
    ...{ id, stream, reason, detail, fault, subject, retryInMs, reconnects, isPull: true },
    state: stateOfPull[state],
    ...{ sentBytes: receivedBytes, sentFrames: receivedFrames, droppedFrames: 0, queuedBytes: 0, queuedMs: 0 },
    mediaMs: pullingMs ?? 0,
    ...(attemptMs !== undefined && { attemptMs }),
    ...(pullingMs !== undefined && { publishingMs: pullingMs }),
  };
}
