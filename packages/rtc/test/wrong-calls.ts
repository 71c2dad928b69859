// Invalid calls of the addon, each of which must throw a TypeError.
import type { AddonHandle, AddonSend, RtcAddon } from '../src/native-addon.ts';

const bytes = Buffer.alloc(32);

/** Returns the names of the calls that threw no TypeError. @param closed handle of a closed port. */
export function wrongCalls(addon: RtcAddon, handle: AddonHandle, closed: AddonHandle): string[] {
  const listener = () => undefined;
  const path = addon.path('127.0.0.1', 9);
  const right: Record<string, readonly unknown[]> = {
    open: ['127.0.0.1', 0, listener],
    port: [handle],
    fingerprint: [handle],
    openSession: [handle, true, 'sha-256', bytes, 'ufrag', 'password'],
    closeSession: [handle, 0],
    reach: [handle, 0, path, true],
    move: [handle, 0, path],
    start: [handle, 0],
    path: ['127.0.0.1', 9],
    sendPlain: [handle, bytes, path],
    sender: [handle],
    flush: [handle],
    openDatagrams: ['127.0.0.1', 0],
    target: ['127.0.0.1', 9, true],
    sendDatagrams: [-1, addon.target('127.0.0.1', 9, false), [bytes]],
    counters: [handle],
    close: [handle],
  };
  const calls = Object.entries(right).flatMap(([name, list]) => wrongLists(name, list, closed));
  const special: (readonly [string, readonly unknown[]])[] = [
    ['open', ['127.0.0.1', 65_536, listener]],
    ['open', ['127.0.0.1', 0, {}]],
    ['open', ['127.0.0.1', 0, Symbol('listener')]],
    ['openSession', [handle, true, 'sha-1', bytes, 'ufrag', 'password']],
    ['openSession', [handle, true, '', bytes, 'ufrag', 'password']],
    ['openSession', [handle, true, 'sha-256'.padEnd(500, '6'), bytes, 'ufrag', 'password']],
    ['openSession', [handle, true, 'sha-256', Buffer.alloc(257), 'ufrag', 'password']],
    ['openSession', [handle, true, 'sha-256', bytes, 'u'.repeat(33), 'password']],
    ['openSession', [handle, true, 'sha-256', bytes, 'ufrag', 'p'.repeat(65)]],
    ['path', ['127.0.0.1', 65_536]],
    ['path', ['localhost', 9]],
    ['path', ['', 9]],
    ['reach', [handle, 0, path.subarray(1), true]],
    ['move', [handle, 0, Buffer.alloc(41)]],
    ['sendPlain', [handle, bytes, Buffer.alloc(0)]],
    ['openDatagrams', ['127.0.0.1', 65_536]],
    ['target', ['127.0.0.1', 65_536, false]],
    ['target', ['localhost', 9, false]],
    ['target', ['::1', 9, false]],
    ['sendDatagrams', [-1, bytes, [bytes]]],
    ['sendDatagrams', [-1, Buffer.alloc(addon.target('::1', 9, true).length, 0xff), [bytes]]],
    ['sendDatagrams', [-1, addon.target('::1', 9, true), Array(65).fill(bytes)]],
    ['sendDatagrams', [-1, addon.target('::1', 9, true), [bytes, 'bytes']]],
  ];
  const wrong = [...calls, ...special].filter(([name, list]) => !throwsTypeError(addon, name, list)).map(describe);
  return [...wrong, ...wrongSends(addon.sender(handle))];
}

function wrongLists(name: string, right: readonly unknown[], closed: AddonHandle): [string, readonly unknown[]][] {
  const isOfHandle = !['open', 'path', 'openDatagrams', 'target', 'sendDatagrams'].includes(name);
  const strangers = [undefined, null, 'x'.repeat(100), 7, true, {}, [], Symbol('x'), 7n, new Date()];
  const lists: (readonly unknown[])[] = right.map((_, index) => right.slice(0, index));
  right.forEach((value, index) => {
    const others = strangers.filter((stranger) =>
      Array.isArray(value) ? !Array.isArray(stranger) : typeof stranger !== typeof value || typeof value === 'object',
    );
    for (const other of others) lists.push(right.with(index, other));
  });
  if (isOfHandle && name !== 'close') lists.push(right.with(0, closed));
  return lists.map((list) => [name, list]);
}

function wrongSends(send: AddonSend): string[] {
  const lists = [
    [],
    [0],
    ['0', []],
    [0, {}],
    [0, 'packet'],
    [0, ['packet', bytes]],
    [0, [undefined]],
    [0, { length: 3 }],
  ];
  const call = send as (...values: readonly unknown[]) => unknown;
  return lists.filter((list) => !throwsType(() => call(...list))).map((list) => describe(['send', list]));
}

function throwsType(call: () => unknown): boolean {
  try {
    call();
    return false;
  } catch (error) {
    return error instanceof TypeError;
  }
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
