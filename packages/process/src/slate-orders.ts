// The streams that show a backup source or a slate while their source is down. The control plane writes them to `config/slates.json` for
// the gateways of its machine. Parsed without schemas, because a gateway loads none.

/** Name of the file in the folder `config/` of the data folder. Only its owner may read it, because it may contain the publish secret. */
export const slateOrdersFile = 'slates.json';

/** Maximum number of streams with a slate; slates are kept in memory. */
export const maxSlates = 50;

/** Maximum number of streams with a backup source. */
export const maxBackups = 50;

export interface SlateOrder {
  readonly app: string;
  readonly stream: string;
  /** Silence of the source after which the slate starts, seconds. */
  readonly afterSeconds: number;
  /** Maximum duration of the slate, minutes; then the stream ends. */
  readonly longestMinutes: number;
  /** Absolute path of an MPEG-TS file with the codecs, size, sample rate and channels of the stream; absent: no slate. */
  readonly file?: string;
  /** The stream that takes over while it is live; absent: none. */
  readonly backup?: { readonly app: string; readonly stream: string };
  /** Start of the stream with its slate, without a source; absent: the source starts the stream. */
  readonly start?: SlateStart;
}

/** Start of a stream with its slate by an operator. */
export interface SlateStart {
  /** Id of this start; a gateway executes each start once. */
  readonly id: string;
  readonly vhost: string;
  /** Query with its `?` that authorizes publishing. */
  readonly param: string;
  /** Time after which the start must not be executed, milliseconds since 1970, so that a restarted gateway does not repeat an old start. */
  readonly untilMs: number;
}

/** @throws when the text is invalid. */
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
  if (!isWhole || !isUseful || (file !== undefined && !isName(file))) throw new Error('a slate order is invalid');
  if (start !== undefined && file === undefined) throw new Error('a slate that starts a stream has no file');
  const added = { ...toBackup(backup), ...toStart(start) };
  return { app, stream, afterSeconds, longestMinutes, ...(file && { file }), ...added } as SlateOrder;
}

function toStart(value: unknown): Pick<SlateOrder, 'start'> {
  if (value === undefined) return {};
  const { id, vhost, param, untilMs } = (value ?? {}) as Record<keyof SlateStart, unknown>;
  if (!isName(id) || !isName(vhost) || typeof param !== 'string' || !isPositive(untilMs)) {
    throw new Error('the start section of a slate order is invalid');
  }
  return { start: { id, vhost, param, untilMs: untilMs as number } };
}

function toBackup(value: unknown): Pick<SlateOrder, 'backup'> {
  if (value === undefined) return {};
  const { app, stream } = (value ?? {}) as Record<string, unknown>;
  if (!isName(app) || !isName(stream)) throw new Error('a backup order is invalid');
  return { backup: { app, stream } };
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isPositive(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}
