// Calls that the control plane answers from memory, with the same response for every client. The gateway sends them over one persistent
// connection (docs/decisions/performance.md). A request is a line `<number> <call> <bearer>`; its response is a line `<number> <JSON>`.
import { type CallName, paths } from './paths.ts';

/** The response to these calls does not depend on body, parameters or client address. */
export const quickCalls = ['status', 'queryPublishSecret'] as const satisfies readonly CallName[];
export type QuickCall = (typeof quickCalls)[number];

/** Quick calls by main path. A request to an alias is a normal HTTP request. */
export const quickCallOfPath: ReadonlyMap<string, QuickCall> = new Map(
  quickCalls.map((name) => [paths[name].path, name] as const),
);

/** Path of the connection on the control plane, and its protocol in the `Upgrade` header (RFC 9110 §7.8). */
export const quickCallsPath = '/terraform/v1/quick-calls';
export const quickCallsProtocol = 'srs-stack-quick-calls';

/** Maximum length of a bearer in a request, characters. Bearers of this product have about 200. */
export const maxQuickBearerLength = 1_024;
/** Maximum length of a response, characters; `status` has about 200. */
export const maxQuickResponseLength = 64 * 1024;
/** Maximum line length, characters: the longest response and its number. */
const maxLineLength = maxQuickResponseLength + 32;

export interface QuickQuestion {
  readonly call: QuickCall;
  /** Bearer from the request header, not verified. */
  readonly bearer: string;
}

export function writeQuickQuestion(number: number, { call, bearer }: QuickQuestion): string {
  return `${number} ${call} ${bearer}\n`;
}

/** @param json undefined: the gateway must repeat the call as a normal HTTP request. */
export function writeQuickResponse(number: number, json: string | undefined): string {
  return json === undefined || json.length > maxQuickResponseLength ? `${number}\n` : `${number} ${json}\n`;
}

/** Splits a line into its number and the rest. An empty rest in a response means: repeat the call as a normal HTTP request. */
export function parseQuickLine(line: string): { readonly number: number; readonly rest: string } {
  const end = line.indexOf(' ');
  return end < 0
    ? { number: Number(line), rest: '' }
    : { number: Number(line.slice(0, end)), rest: line.slice(end + 1) };
}

/** Returns undefined for text that `writeQuickQuestion` does not produce. */
export function parseQuickQuestion(rest: string): QuickQuestion | undefined {
  const end = rest.indexOf(' ');
  const call = quickCalls.find((name) => name.length === end && rest.startsWith(name));
  return call && { call, bearer: rest.slice(end + 1) };
}

/** Splits received bytes into lines. */
export class QuickLines {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #begun = '';

  /** Returns the complete lines; undefined after an overlong line, which means that the peer speaks another protocol. */
  push(bytes: Uint8Array): string[] | undefined {
    const lines = (this.#begun + this.#decoder.decode(bytes, { stream: true })).split('\n');
    this.#begun = lines.pop() ?? '';
    return this.#begun.length > maxLineLength || lines.some((line) => line.length > maxLineLength) ? undefined : lines;
  }
}
