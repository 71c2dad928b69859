// Calls the addon's functions with invalid arguments, as no caller in the product does.
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { addonReached, loadAddon } from '../src/native-addon.ts';
import { loopback } from './rtc-rig.ts';
import { wrongCalls } from './wrong-calls.ts';

it('refuses arguments of other types, and closed handles', () => {
  const addon = loadAddon();
  const [handle, closed] = [addon.open(loopback, 0, () => undefined), addon.open(loopback, 0, () => undefined)];
  addon.close(closed);
  expect(wrongCalls(addon, handle, closed)).toEqual([]);
  addon.close(handle);
});

it('refuses the handle of another addon', () => {
  // The call may crash its process, so it runs in a child process.
  const script = `
    import { createServer, connect } from 'node:net';
    import { loadAddon } from ${JSON.stringify(new URL('../src/native-addon.ts', import.meta.url).href)};
    const server = createServer().listen(0, '127.0.0.1', () => {
      const socket = connect(server.address().port, '127.0.0.1', () => {
        const stranger = socket._handle._externalStream;
        for (const name of ['port', 'fingerprint', 'flush', 'counters', 'close']) {
          try {
            loadAddon()[name](stranger);
          } catch (error) {
            console.log(error.name);
          }
        }
        process.exit();
      });
    });`;
  const { stdout, signal } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect({ signal, lines: stdout.trim().split('\n') }).toEqual({ signal: null, lines: Array(5).fill('TypeError') });
});

it('finds no session that was never opened or is closed', () => {
  const addon = loadAddon();
  const handle = addon.open(loopback, 0, () => undefined);
  const send = addon.sender(handle);
  const session = addon.openSession(handle, true, 'sha-256', Buffer.alloc(32), 'ufrag', 'password');
  addon.closeSession(handle, session);
  // A new session in the slot of a closed session must have a different number.
  const next = addon.openSession(handle, true, 'sha-256', Buffer.alloc(32), 'ufrag', 'password');
  expect(next).not.toBe(session);
  for (const stranger of [0, 1, session, 0xffff_ffff]) {
    expect(addon.reach(handle, stranger, addon.path(loopback, 9), true)).toBe(addonReached.not);
    expect(send(stranger, [Buffer.alloc(20, 0x80)])).toBe(0);
    addon.move(handle, stranger, addon.path(loopback, 9));
    addon.start(handle, stranger);
    addon.closeSession(handle, stranger);
  }
  expect(addon.reach(handle, next, addon.path(loopback, 9), true)).toBe(addonReached.yes);
  addon.close(handle);
  expect(() => send(next, [])).toThrow(TypeError);
});
