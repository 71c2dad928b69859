// Orders for the gateways of this machine in one file, and the status that the gateways report. Ordered transfers continue while this
// control plane is down; after a restart it adopts them.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { writeFileAtomically } from '@srs-stack/process/atomic-file.ts';
import type { Log } from '@srs-stack/process/log.ts';
import { createOneAtATime } from '../../concurrency/one-at-a-time.ts';

/** It contains stream keys and passwords. */
const readableByOwner = 0o600;
/** Cache time of one query to the gateways for all tasks, milliseconds. */
const lookMs = 400;
/** Separates task and unique suffix in the id of an order: a changed order is a new one. */
const idMark = '#';

interface WithId {
  readonly id: string;
}

export interface EngineOrders<Order extends WithId, Row> {
  /** Replaces the orders of that task for the gateways; resolves when the gateways can have read them. */
  put(task: string, wish: Omit<Order, 'id'>): Promise<void>;
  /** Ends the order of that task, if there is one. */
  remove(task: string): Promise<void>;
  /** Ends the orders of all other tasks, such as those removed while this control plane was down. */
  keepOnly(tasks: ReadonlySet<string>): Promise<void>;
  /** Status of the newest wish of that task; undefined while no gateway knows it. */
  row(task: string): Promise<Row | undefined>;
}

export interface EngineOrdersDeps<Order extends WithId, Row extends WithId & { readonly state: string }> {
  /** Absolute path of the file for the gateways. */
  readonly file: string;
  readonly parse: (text: string) => Order[];
  readonly write: (orders: readonly Order[]) => string;
  readonly list: () => Promise<Row[]>;
  /** States by relevance, for tasks that several gateways report. */
  readonly nearestFirst: readonly Row['state'][];
  /** Fields that change without creating a new order. */
  readonly adapts?: readonly (keyof Order)[];
  /** False: nothing can be ordered. */
  readonly isOn: boolean;
  readonly log: Log;
  readonly nowMs?: () => number;
}

/** Resolves when the orders of the previous process are known; undefined where nothing can be ordered. */
export async function openEngineOrders<Order extends WithId, Row extends WithId & { readonly state: string }>(
  deps: EngineOrdersDeps<Order, Row>,
): Promise<EngineOrders<Order, Row> | undefined> {
  const found = await readOrders(deps);
  if (deps.isOn) return createEngineOrders(found, deps);
  // Earlier orders would otherwise continue in addition to FFmpeg.
  if (found.length > 0) await writeFileAtomically(deps.file, deps.write([]), readableByOwner);
  return undefined;
}

function createEngineOrders<Order extends WithId, Row extends WithId & { readonly state: string }>(
  found: readonly Order[],
  { file, write, list, nearestFirst, adapts = [], nowMs = () => performance.now() }: EngineOrdersDeps<Order, Row>,
): EngineOrders<Order, Row> {
  const orders = new Map(found.map((order) => [taskOf(order), order]));
  const writes = createOneAtATime();
  let look: { atMs: number; rows: Promise<Row[]> } | undefined;
  let nextWrite: Promise<void> | undefined;
  // All changes until a write begins are in it: 200 tasks that start together cost two writes.
  const save = () => {
    look = undefined;
    nextWrite ??= writes(() => {
      nextWrite = undefined;
      return writeFileAtomically(file, write([...orders.values()]), readableByOwner);
    });
    return nextWrite;
  };
  const rows = () => {
    if (!look || nowMs() - look.atMs >= lookMs) look = { atMs: nowMs(), rows: list().catch(() => []) };
    return look.rows;
  };
  return {
    async put(task, wish) {
      const known = orders.get(task);
      if (known && isSame(known, wish)) return;
      const adapted = known && Object.fromEntries(adapts.map((name) => [name, known[name]]));
      const id = known && isSame(known, { ...wish, ...adapted }) ? known.id : `${task}${idMark}${randomUUID()}`;
      orders.set(task, { ...wish, id } as Order);
      await save();
    },
    async remove(task) {
      if (orders.delete(task)) await save();
    },
    async keepOnly(tasks) {
      const gone = [...orders.keys()].filter((task) => !tasks.has(task));
      for (const task of gone) orders.delete(task);
      if (gone.length > 0) await save();
    },
    async row(task) {
      const id = orders.get(task)?.id;
      const own = (await rows()).filter((row) => row.id === id);
      return own.sort((a, b) => nearestFirst.indexOf(a.state) - nearestFirst.indexOf(b.state))[0];
    },
  };
}

async function readOrders<Order extends WithId, Row extends WithId & { readonly state: string }>({
  file,
  parse,
  log,
}: EngineOrdersDeps<Order, Row>): Promise<Order[]> {
  try {
    return parse(await readFile(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') log.error({ err: error, file }, 'orders cannot be read');
    return [];
  }
}

function taskOf({ id }: WithId): string {
  return id.slice(0, id.lastIndexOf(idMark));
}

/** Orders are flat. */
function isSame<Order extends WithId>(order: Order, wish: Omit<Order, 'id'>): boolean {
  return Object.entries(wish).every(([name, value]) => order[name as keyof Order] === value);
}
