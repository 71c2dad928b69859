// Calls of the addon that no caller makes: each must throw a TypeError.
import type { AddonHandle, RtcAddon } from '../src/native-addon.ts';

const bytes = Buffer.alloc(32);

/** Names of the calls that did not throw a TypeError. `closed`: a handle whose port is closed. */
export function wrongCalls(addon: RtcAddon, handle: AddonHandle, closed: AddonHandle): string[] {
  const listener = () => undefined;
  const right: Record<string, readonly unknown[]> = {
    open: ['127.0.0.1', 0, listener],
    port: [handle],
    fingerprint: [handle],
    openSession: [handle, true, 'sha-256', bytes],
    closeSession: [handle, 0],
    reach: [handle, 0, '127.0.0.1', 9, 0, true],
    sendPlain: [handle, bytes, '127.0.0.1', 9, 0],
    send: [handle, 0, bytes],
    flush: [handle],
    counters: [handle],
    close: [handle],
  };
  const calls = Object.entries(right).flatMap(([name, list]) => wrongLists(name, list, closed));
  const special: (readonly [string, readonly unknown[]])[] = [
    ['open', ['127.0.0.1', 65_536, listener]],
    ['open', ['127.0.0.1', 0, {}]],
    ['open', ['127.0.0.1', 0, Symbol('listener')]],
    ['openSession', [handle, true, 'sha-1', bytes]],
    ['openSession', [handle, true, '', bytes]],
    ['openSession', [handle, true, 'sha-256'.padEnd(500, '6'), bytes]],
    ['openSession', [handle, true, 'sha-256', Buffer.alloc(257)]],
    ['reach', [handle, 0, 'localhost', 9, 0, true]],
    ['reach', [handle, 0, '1'.repeat(500), 9, 0, true]],
    ['reach', [handle, 0, '127.0.0.1', 65_536, 0, true]],
    ['sendPlain', [handle, bytes, '', 9, 0]],
  ];
  return [...calls, ...special].filter(([name, list]) => !throwsTypeError(addon, name, list)).map(describe);
}

/** One argument missing, and each of another type. */
function wrongLists(name: string, right: readonly unknown[], closed: AddonHandle): [string, readonly unknown[]][] {
  const isOfHandle = name !== 'open';
  const strangers = [undefined, null, 'x'.repeat(100), 7, true, {}, [], Symbol('x'), 7n, new Date()];
  const lists: (readonly unknown[])[] = right.map((_, index) => right.slice(0, index));
  right.forEach((value, index) => {
    const others = strangers.filter((stranger) => typeof stranger !== typeof value || typeof value === 'object');
    for (const other of others) lists.push(right.with(index, other));
  });
  if (isOfHandle && name !== 'close') lists.push(right.with(0, closed));
  return lists.map((list) => [name, list]);
}

function throwsTypeError(addon: RtcAddon, name: string, list: readonly unknown[]): boolean {
  try {
    const result = (addon[name as keyof RtcAddon] as (...values: readonly unknown[]) => unknown)(...list);
    if (name === 'open') addon.close(result as AddonHandle);
    return false;
  } catch (error) {
    return error instanceof TypeError;
  }
}

const describe = ([name, list]: readonly [string, readonly unknown[]]) =>
  `${name}(${list.map((value) => (value !== null && typeof value === 'object' ? (value.constructor?.name ?? 'handle') : String(value).slice(0, 20))).join(', ')})`;
