// Checks a list of targets that are added together. Each entry is checked like a single target. Pure.
import {
  AppError,
  because,
  type ForwardListRow,
  type ForwardTarget,
  isValidStreamName,
  maxLabelLength,
  maxNameLength,
  maxPushTargets,
  maxStreamKeyLength,
  maxTargetUrlLength,
  verbatim,
} from '@srs-stack/contract';
import { checkTarget } from '../push/push-targets.ts';

export type ForwardFields = Pick<ForwardTarget, 'server' | 'secret' | 'label' | 'stream' | 'group'>;

const longest: Readonly<Record<keyof ForwardListRow, number>> = {
  label: maxLabelLength,
  server: maxTargetUrlLength,
  secret: maxStreamKeyLength,
  stream: maxNameLength,
  group: maxLabelLength,
};
const noServer = because('target.forward-server-missing');

/** The error of each entry; undefined for entries that can be added. */
export function judgeForwardList(
  rows: readonly ForwardListRow[],
  known: readonly ForwardFields[],
): (AppError | undefined)[] {
  const taken = new Set(known.map(addressOf));
  let count = known.length;
  return rows.map((row) => {
    const refusal = refusalOf(row) ?? refusalAmong(taken, count, row);
    if (!refusal) {
      taken.add(addressOf(row));
      count++;
    }
    return refusal;
  });
}

function refusalAmong(taken: ReadonlySet<string>, count: number, row: ForwardListRow): AppError | undefined {
  if (taken.has(addressOf(row))) return new AppError('invalidRequest', because('target.duplicate'));
  if (count < maxPushTargets) return undefined;
  return new AppError('invalidRequest', because('target.too-many', { maximum: maxPushTargets }));
}

function refusalOf(row: ForwardListRow): AppError | undefined {
  try {
    checkRow(row);
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

function checkRow(row: ForwardListRow): void {
  for (const [name, maximum] of Object.entries(longest)) {
    if (row[name as keyof ForwardListRow].length > maximum)
      throw new AppError('invalidRequest', because('target.too-long', { maximum }));
  }
  if (row.label.trim() === '') throw new AppError('invalidRequest', because('target.label-missing'));
  checkTarget({ ...row, platform: '', enabled: false, custom: true }, noServer);
  if (row.stream !== '' && !isValidStreamName(row.stream))
    throw new AppError('streamNameInvalid', verbatim(row.stream));
}

function addressOf({ server, secret }: ForwardFields): string {
  return JSON.stringify([server, secret]);
}

/** Key of an added target. Keys sort in list order, because time and index precede `salt`. `salt` makes keys unique. */
export function platformOfRow(mark: string, nowMs: number, index: number, salt: string): string {
  return `${mark}${nowMs.toString(36)}-${String(index).padStart(3, '0')}-${salt}`;
}
