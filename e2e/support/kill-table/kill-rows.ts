// The table of kills: one row per kill, with the interruptions that the kill caused.
import { type OutputName, outputNames } from './outputs.ts';

export interface KillRow {
  readonly killed: string;
  /** Time from the kill until all encoders send, all viewers play, all tasks run and settings are saved, milliseconds. */
  readonly recoveryMs: number;
  /** Longest time without media for the viewers of each output, milliseconds. */
  readonly viewers: Readonly<Record<OutputName, number>>;
  /**
   * Longest time without media for viewers whose node and publisher were not killed, milliseconds. HLS is excluded,
   * because its media arrives in pieces.
   */
  readonly untouchedMs: number | undefined;
  readonly encodersMs: number;
  /** Longest time in which a task had no process, milliseconds. */
  readonly tasksMs: number;
  /** Longest time in which no setting was saved, milliseconds. */
  readonly settingsMs: number;
  readonly framesSent: number;
  readonly framesRecorded: number;
  readonly doubled: number;
  readonly lost: number;
}

export function killTable(rows: readonly KillRow[]): string {
  const titles = ['killed', 'recovered, s', ...outputNames, 'unaffected', 'encoders', 'tasks', 'settings'];
  const counts = ['frames sent', 'not recorded', 'duplicate tasks', 'lost settings'];
  const head = [...titles, ...counts];
  const lines = rows.map((row) => [
    row.killed,
    (row.recoveryMs / 1_000).toFixed(1),
    ...outputNames.map((name) => Math.round(row.viewers[name])),
    ...[row.untouchedMs, row.encodersMs, row.tasksMs, row.settingsMs].map((ms) =>
      ms === undefined ? '' : Math.round(ms),
    ),
    ...[row.framesSent, Math.max(0, row.framesSent - row.framesRecorded), row.doubled, row.lost],
  ]);
  const rule = head.map((_, index) => (index === 0 ? '---' : '--:'));
  return [head, rule, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
