import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { boundPorts } from '@srs-stack/contract/wire/bound-ports.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGatewayAddresses, fixedAddresses, lookAgainMs } from './media-server-address.ts';

let runFolder: string;
let nowMs = 0;
beforeEach(async () => {
  runFolder = await mkdtemp(join(tmpdir(), 'srs-run-'));
});
afterEach(() => rm(runFolder, { recursive: true }));

const write = (file: string, srsApi: number, pid = process.pid) => {
  const ports = boundPorts.parse({ pid, http: 1, https: 2, rtmp: 3, srt: null, rtc: null, srsApi });
  return writeFile(join(runFolder, file), JSON.stringify(ports));
};
/** Higher than any Linux process id. */
const deadPid = 2 ** 30;
const open = (host = '127.0.0.1', port = 1985) =>
  createGatewayAddresses({ runFolder, configured: { host, port }, nowMs: () => nowMs });
const seen = async (addresses: ReturnType<typeof open>) =>
  Promise.all((await addresses.list()).map(async (each) => [each.name, (await each.current())?.port]));

describe('addresses of the gateways', () => {
  it('come from the environment until the first file exists, then from all files', async () => {
    const addresses = open('0.0.0.0');
    expect(await seen(addresses)).toEqual([['gateway-0', 1985]]);
    await write('ports.json', 41_985);
    await write('ports-1.json', 41_986);
    await write('ports-10.json', 41_995);
    await writeFile(join(runFolder, 'ports-2.json'), '{');
    await write('ports-3.json.tmp', 9);
    expect(await seen(addresses)).toEqual([['gateway-0', 1985]]);
    nowMs += lookAgainMs;
    const all = [
      ['gateway-0', 41_985],
      ['gateway-1', 41_986],
      ['gateway-10', 41_995],
    ];
    expect(await seen(addresses)).toEqual(all);
    expect(await (await addresses.list())[1]?.current()).toEqual({ host: '127.0.0.1', port: 41_986 });
  });

  it('are read again after a failed connection, and a stopped gateway stays in the list', async () => {
    await write('ports.json', 41_985);
    await write('ports-1.json', 41_986);
    const addresses = open();
    const [, other] = await addresses.list();
    await write('ports-1.json', 51_986);
    expect((await other?.current())?.port).toBe(41_986);
    other?.forget();
    expect((await other?.current())?.port).toBe(51_986);
    await rm(join(runFolder, 'ports-1.json'));
    other?.forget();
    expect(await seen(addresses)).toEqual([
      ['gateway-0', 41_985],
      ['gateway-1', undefined],
    ]);
    expect((await addresses.list())[1]).toBe(other);
  });

  it('are read immediately while unknown', async () => {
    const addresses = open('127.0.0.1', 0);
    await write('ports-1.json', 41_986);
    expect(await seen(addresses)).toEqual([
      ['gateway-0', undefined],
      ['gateway-1', 41_986],
    ]);
    await write('ports.json', 41_985);
    expect((await (await addresses.list())[0]?.current())?.port).toBe(41_985);
  });

  it('ignore the file of a gateway that was killed in an earlier run', async () => {
    await write('ports-1.json', 41_986, deadPid);
    expect(await seen(open('127.0.0.1', 0))).toEqual([['gateway-0', undefined]]);
  });
});

it('addresses of SRS servers are the configured ones, without duplicates', async () => {
  const local = { host: '127.0.0.1', port: 1985 };
  const list = await fixedAddresses([local, { host: '::1', port: 1985 }, local]).list();
  expect(list.map(({ name }) => name)).toEqual(['127.0.0.1:1985', '[::1]:1985']);
  expect(await list[1]?.current()).toEqual({ host: '::1', port: 1985 });
});
