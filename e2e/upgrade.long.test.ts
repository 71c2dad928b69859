// Upgrades of the product: a good release during a live stream, and a release whose migration fails. Tests which release
// runs after the supervisor was killed. (Tests of the supervisor cover a release that never becomes ready.)
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { endpoints, type ResponseOf } from '@srs-stack/contract';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Admin, call, setUp } from './support/api.ts';
import { publishTestSource, stopAllFfmpeg } from './support/ffmpeg.ts';
import { portsToReturnTo } from './support/free-port.ts';
import { answersAgain, type Environment, type Product, startProduct } from './support/product.ts';
import { createReleaseRemote, type ReleaseRemote } from './support/release-remote.ts';
import { until } from './support/until.ts';

const password = 'a long first password';
const migrations = 'packages/platform/src/store/sqlite/migrations.ts';
/** Adds two migration steps: the first succeeds, the second fails. The release exits with a changed store. */
const failingMigration = (content: string) =>
  content.replace(/\n\];/, '\n  `CREATE TABLE half_way (x TEXT) STRICT;`,\n  `INSERT INTO nowhere VALUES (1);`,\n];');

let remote: ReleaseRemote;
let product: Product;
let admin: Admin;
let environment: Environment;
beforeAll(async () => {
  remote = createReleaseRemote();
  environment = { ...(await portsToReturnTo()), DATA_DIR: join(remote.root, 'data') };
  product = await startProduct(environment, [process.execPath, join(remote.checkout, 'packages/stack/src/main.ts')]);
  admin = await setUp(product, password);
  await admin.call(endpoints.updateBeian, { beian: 'title', text: 'Kept over upgrades' });
});
afterEach(stopAllFfmpeg);
afterAll(async () => {
  await product?.stop();
  remote.remove();
});

type Facts = ResponseOf<typeof endpoints.queryUpgrade>;
const facts = () => admin.call(endpoints.queryUpgrade, {}).catch(() => undefined);
const factsWith = (what: string, isSo: (facts: Facts) => boolean) =>
  until(what, async () => {
    const now = await facts();
    return now && isSo(now) ? now : undefined;
  });
const version = async () => (await call(product, endpoints.queryVersion, {})).version;
const publish = () => publishTestSource(product.rtmpUrl(`lobby?${admin.publishQuery}`), { video: {}, audio: {} });
const plays = () =>
  until('it plays', async () => (await fetch(`${product.url}/live/lobby.flv`, { method: 'HEAD' })).ok);

async function expectStateKept(): Promise<void> {
  await call(product, endpoints.login, { password });
  expect(await call(product, endpoints.queryBeian, {})).toMatchObject({ title: 'Kept over upgrades' });
  const { publish: secret } = await admin.call(endpoints.queryPublishSecret, {});
  expect(`secret=${secret}`).toBe(admin.publishQuery);
}

const upgradeCommand = (...args: string[]) =>
  promisify(execFile)(
    process.execPath,
    [join(remote.checkout, 'packages/stack/src/upgrade/upgrade-command.ts'), ...args],
    {
      env: { ...process.env, ...environment },
    },
  ).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    ({ code, stdout, stderr }) => ({ code: code as number, output: `${stdout}${stderr}` }),
  );

test('a newer version is found, prepared during a live stream, and takes over; the encoder reconnects and all state is kept', async () => {
  const commit = remote.release('1.1.0');
  await factsWith('it is known what is installed', ({ installation }) => installation?.kind === 'checkout');
  await admin.call(endpoints.lookForReleases, {});
  const { found } = await factsWith('the remote was queried', ({ isLooking }) => !isLooking);
  expect(found?.stable).toMatchObject({ version: '1.1.0', commit, changes: ['News of 1.1.0.'] });

  const publisher = publish();
  await plays();
  await factsWith('the stream is named', ({ liveStreams }) => liveStreams.includes('live/lobby'));
  await admin.call(endpoints.startUpgrade, { channel: 'stable', commit });
  await publisher.exited;
  const { result, installation } = await factsWith(
    'the release runs',
    (now) => now.result !== null && now.installation?.version === '1.1.0',
  );
  expect(result).toMatchObject({ outcome: 'upgraded', from: '1.0.0', to: { version: '1.1.0', commit } });
  expect(result?.interruptionMs).toBeGreaterThan(0);
  expect(installation).toMatchObject({ kind: 'checkout', commit });
  expect(await version()).toBe('1.1.0');
  publish();
  await plays();
  await expectStateKept();
  const actions = await until('the upgrade was reported', async () => {
    const { entries } = await admin.call(endpoints.queryAudit, { limit: 20 });
    const recent = entries.filter(({ action }) => action.startsWith('upgrade')).map(({ action }) => action);
    return recent.includes('upgraded') && recent;
  });
  expect(actions).toEqual(['upgraded', 'upgrade-started']);
});

test('a version whose migration fails half-way is rolled back automatically, and npm run upgrade prints the reason', async () => {
  remote.release('1.2.0', { [migrations]: failingMigration });
  const { code, output } = await upgradeCommand();
  expect(output).toMatch(/Not upgraded: ended .*no such table: nowhere/);
  expect(code).toBe(1);
  await answersAgain(product);
  expect(await version()).toBe('1.1.0');
  await expectStateKept();
  const { result } = await factsWith('the interruption is known', (now) => now.result?.interruptionMs !== null);
  expect(result).toMatchObject({ outcome: 'rolled-back', from: '1.1.0', to: { version: '1.2.0' } });
});

test('after the supervisor was killed the release of the last upgrade runs, and npm run upgrade continues from it', async () => {
  await product.killSupervisor();
  product = await startProduct(environment, [process.execPath, join(remote.checkout, 'packages/stack/src/main.ts')]);
  expect(await version()).toBe('1.1.0');
  await expectStateKept();
  remote.release('1.3.0');
  const { code, output } = await upgradeCommand();
  expect(output).toMatch(/News of 1\.3\.0\.[\s\S]*Upgraded to 1\.3\.0; the server was unavailable for \d+\.\d s/);
  expect(code).toBe(0);
  expect(await version()).toBe('1.3.0');
  expect((await upgradeCommand('--check')).output).toContain('No newer release.');
  await expectStateKept();
});
