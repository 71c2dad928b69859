// Streams that show a backup source or a slate (a repeated clip) while their source is down. The control plane writes `config/slates.json`
// for the gateways of its machine. Parsed without schemas, because a gateway loads no schema library.

/** File in the folder `config/` of the data folder. Only its owner may read it, because it may contain the publish secret. */
export const slateOrdersFile = 'slates.json';

/** Maximum number of streams with a slate. Slates are kept in memory. */
export const maxSlates = 50;

/** Maximum number of streams with a backup source, each of which is another live stream. */
export const maxBackups = 50;

export interface SlateOrder {
  readonly app: string;
  readonly stream: string;
  /** Silence of the source after which the backup source or the slate starts, seconds. */
  readonly afterSeconds: number;
  /** Maximum duration of the slate, minutes. Then the stream ends. */
  readonly longestMinutes: number;
  /** Absolute path of an MPEG-TS file with the codecs, size, sample rate and channels of the stream; absent: no slate. */
  readonly file?: string;
  /** A live stream that replaces the failed source; absent: no backup source. */
  readonly backup?: { readonly app: string; readonly stream: string };
  /** An operator's order to start the stream with its slate, without a source. Absent: the source starts the stream. */
  readonly start?: SlateStart;
}

/** An operator's order to start a stream with its slate. */
export interface SlateStart {
  /** Id of the order. A gateway executes each order once. */
  readonly id: string;
  readonly vhost: string;
  readonly param: string;
  /** Expiry of the order, milliseconds since 1970. A gateway that restarts later does not execute an old order again. */
  readonly untilMs: number;
}

/** Parses orders. @throws for an invalid text. */
export function parseSlateOrders(text: string): SlateOrder[] {
  const { slates } = JSON.parse(text) as { slates?: unknown };
  if (!Array.isArray(slates)) throw new Error('`slates` is not an array');
  const orders = slates.map(toOrder);
  if (orders.filter(({ file }) => file).length > maxSlates) throw new Error(`more than ${maxSlates} slates`);
  if (orders.filter(({ backup }) => backup).length > maxBackups) throw new Error(`more than ${maxBackups} backups`);
  return orders;
}

export function writeSlateOrders(slates: readonly SlateOrder[]): string {
  return `${JSON.stringify({ slates })}\n`;
}

function toOrder(entry: unknown): SlateOrder {
  const values = (entry ?? {}) as Record<keyof SlateOrder, unknown>;
  const { app, stream, afterSeconds, longestMinutes, file, backup, start } = values;
  const isWhole = isName(app) && isName(stream) && isPositive(afterSeconds) && isPositive(longestMinutes);
  const isUseful = file !== undefined || backup !== undefined;
  if (!isWhole || !isUseful || (file !== undefined && !isName(file)))
    throw new Error('an entry of `slates` has an invalid field, or neither file nor backup');
  if (start !== undefined && file === undefined) throw new Error('a slate that starts a stream has no file');
  const added = { ...toBackup(backup), ...toStart(start) };
  return { app, stream, afterSeconds, longestMinutes, ...(file && { file }), ...added } as SlateOrder;
}

function toStart(value: unknown): Pick<SlateOrder, 'start'> {
  if (value === undefined) return {};
  const { id, vhost, param, untilMs } = (value ?? {}) as Record<keyof SlateStart, unknown>;
  if (!isName(id) || !isName(vhost) || typeof param !== 'string' || !isPositive(untilMs)) {
    throw new Error('`start` of a slate lacks id, vhost, param or untilMs, or one of them is invalid');
  }
  return { start: { id, vhost, param, untilMs: untilMs as number } };
}

function toBackup(value: unknown): Pick<SlateOrder, 'backup'> {
  if (value === undefined) return {};
  const { app, stream } = (value ?? {}) as Record<string, unknown>;
  if (!isName(app) || !isName(stream)) throw new Error('`backup` of a slate lacks app or stream');
  return { backup: { app, stream } };
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isPositive(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}
