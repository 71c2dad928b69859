// Calls that the control plane answers from memory, whoever asks: the gateway asks them over one kept connection, many in one write
// (docs/decisions/performance.md). A question is a line `<number> <call> <bearer>`, its answer a line `<number> <JSON>`. Pure.
import { type CallName, paths } from './paths.ts';

/** Their answer depends on no body, no parameter and nobody's address. */
export const quickCalls = ['status', 'queryPublishSecret'] as const satisfies readonly CallName[];
export type QuickCall = (typeof quickCalls)[number];

/** By path, aliases included. */
export const quickCallOfPath: ReadonlyMap<string, QuickCall> = new Map(
  quickCalls.map((name) => [paths[name].path, name] as const),
);

/** Where the control plane takes the connection, and the protocol that it changes to (RFC 9110 §7.8). */
export const quickCallsPath = '/terraform/v1/quick-calls';
export const quickCallsProtocol = 'srs-stack-quick-calls';

/** Longest bearer asked about, characters: ours have about 200. */
export const maxQuickBearerLength = 1_024;
/** Longest answer that takes this way, characters: a status has 200. */
export const maxQuickAnswerLength = 64 * 1024;
/** Longest line of either side, characters: an answer with its number. */
const maxLineLength = maxQuickAnswerLength + 32;

export interface QuickQuestion {
  readonly call: QuickCall;
  /** As the header says, unchecked. */
  readonly bearer: string;
}

export function writeQuickQuestion(number: number, { call, bearer }: QuickQuestion): string {
  return `${number} ${call} ${bearer}\n`;
}

/** @param json undefined: the call is to be asked in full, its answer is none of these. */
export function writeQuickAnswer(number: number, json: string | undefined): string {
  return json === undefined || json.length > maxQuickAnswerLength ? `${number}\n` : `${number} ${json}\n`;
}

/** A line of either side: its number and the rest; an empty rest of an answer means that the call is to be asked in full. */
export function parseQuickLine(line: string): { readonly number: number; readonly rest: string } {
  const end = line.indexOf(' ');
  return end < 0
    ? { number: Number(line), rest: '' }
    : { number: Number(line.slice(0, end)), rest: line.slice(end + 1) };
}

/** Undefined for what `writeQuickQuestion` does not write. */
export function parseQuickQuestion(rest: string): QuickQuestion | undefined {
  const end = rest.indexOf(' ');
  const call = quickCalls.find((name) => name.length === end && rest.startsWith(name));
  return call && { call, bearer: rest.slice(end + 1) };
}

/** Cuts bytes into lines as they come. */
export class QuickLines {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #begun = '';

  /** The lines that are complete now; undefined when one is too long: the other side is none of ours. */
  push(bytes: Uint8Array): string[] | undefined {
    const lines = (this.#begun + this.#decoder.decode(bytes, { stream: true })).split('\n');
    this.#begun = lines.pop() ?? '';
    return this.#begun.length > maxLineLength || lines.some((line) => line.length > maxLineLength) ? undefined : lines;
  }
}
