// Writes orders for the gateways of this machine into one file, and reads the status that the gateways report. Ordered transfers continue
// while the control plane is down. A restarted control plane adopts them.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { writeFileAtomically } from '@srs-stack/process/atomic-file.ts';
import type { Log } from '@srs-stack/process/log.ts';
import { createOneAtATime } from '../../concurrency/one-at-a-time.ts';

/** Mode of the file, which contains stream keys and passwords. */
const readableByOwner = 0o600;
/** Cache time of the gateways' status, milliseconds; all tasks share it. */
const lookMs = 400;
/** Separates task and unique suffix in the id of an order. A changed order gets a new id. */
const idMark = '#';

interface WithId {
  readonly id: string;
}

export interface EngineOrders<Order extends WithId, Row> {
  /** Replaces the order of the task. Resolves when the file contains the order. */
  put(task: string, wish: Omit<Order, 'id'>): Promise<void>;
  remove(task: string): Promise<void>;
  /** Ends the orders of all tasks outside this set, e.g. of tasks removed while the control plane was down. */
  keepOnly(tasks: ReadonlySet<string>): Promise<void>;
  /** Status of the newest order of the task; undefined while no gateway reports a status. */
  row(task: string): Promise<Row | undefined>;
}

export interface EngineOrdersDeps<Order extends WithId, Row extends WithId & { readonly state: string }> {
  readonly file: string;
  readonly parse: (text: string) => Order[];
  readonly write: (orders: readonly Order[]) => string;
  readonly list: () => Promise<Row[]>;
  /** States from most to least relevant. If several gateways report one task, the most relevant state is shown. */
  readonly nearestFirst: readonly Row['state'][];
  /** Fields whose change does not create a new order. */
  readonly adapts?: readonly (keyof Order)[];
  /** Whether orders for the gateways are supported. */
  readonly isOn: boolean;
  readonly log: Log;
  readonly nowMs?: () => number;
}

/** Resolves when the orders of the previous process are read. Resolves with undefined if orders are not supported. */
export async function openEngineOrders<Order extends WithId, Row extends WithId & { readonly state: string }>(
  deps: EngineOrdersDeps<Order, Row>,
): Promise<EngineOrders<Order, Row> | undefined> {
  const found = await readOrders(deps);
  if (deps.isOn) return createEngineOrders(found, deps);
  // Earlier orders are removed. If they stayed, a gateway and FFmpeg would run the same transfer.
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
  // Changes that arrive before a write begins go into this write, so 200 tasks that start together cost two writes.
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
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      log.error({ err: error, file }, 'file with the streams to push or pull cannot be read');
    return [];
  }
}

function taskOf({ id }: WithId): string {
  return id.slice(0, id.lastIndexOf(idMark));
}

/** Compares an order with a wish field by field, which suffices for flat objects. */
function isSame<Order extends WithId>(order: Order, wish: Omit<Order, 'id'>): boolean {
  return Object.entries(wish).every(([name, value]) => order[name as keyof Order] === value);
}
