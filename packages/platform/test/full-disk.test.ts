// A store that cannot be written: publishing and login still work, changes of settings fail with 1007.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { endpoints } from '@srs-stack/contract';
import { openDataFolder } from '@srs-stack/process/data-folder.ts';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createApp } from '../src/app.ts';
import { createCertificateFiles } from '../src/certificates/certificate-files.ts';
import { readEnv } from '../src/env.ts';
import { createMediaServers } from '../src/media-server/media-servers.ts';
import { openModules } from '../src/modules.ts';
import { noNodeCalls } from '../src/nodes/node-calls.ts';
import { openNodeRegistry } from '../src/nodes/node-registry.ts';
import { openEnvFile } from '../src/store/env-file.ts';
import { migrate } from '../src/store/sqlite/migrations.ts';
import { createSqliteStore } from '../src/store/sqlite/sqlite-store.ts';
import { createValueCipher } from '../src/store/value-cipher.ts';
import { openTestPlatform } from '../src/testing/test-platform.ts';

it('admits publishers and the operator', async () => {
  const other = await openTestPlatform();
  const root = join(other.dataDir, 'full');
  const folder = await openDataFolder(root);
  const database = new DatabaseSync(join(root, 'store.sqlite'));
  migrate(database);
  const store = createSqliteStore(database, createValueCipher(Buffer.alloc(32, 1)));
  const env = readEnv({ DATA_DIR: root, MGMT_PASSWORD: 'correct', CALLBACK_SECRET: 'c', SRS_PLATFORM_SECRET: 's' });
  const log = pino({ level: 'silent' });
  const address = { name: 'none', current: async () => undefined, forget() {} };
  const modules = await openModules({
    env,
    version: '0.0.0',
    nodes: await openNodeRegistry({ id: 'a', name: 'a', version: '0.0.0', address: undefined, table: undefined, log }),
    nodeCalls: noNodeCalls,
    leases: undefined,
    store,
    log,
    now: () => new Date(),
    passwordFile: openEnvFile(join(folder.config, '.env')),
    mediaServer: createMediaServers({ list: async () => [address] }),
    ownMediaServer: createMediaServers({ list: async () => [address] }),
    vhostConfig: { write: async () => false },
    frontFile: { write: async () => undefined },
    watchFile: { write: async () => undefined },
    certificateFiles: createCertificateFiles(folder.config, store),
    channelGateways: { canPlay: false, listChannels: async () => [] },
    gatewayTransfers: {
      files: { pushes: join(folder.config, 'pushes.json'), pulls: join(folder.config, 'pulls.json') },
      gateways: { listPushes: async () => [], listPulls: async () => [], startPushTest: async () => undefined },
      isOn: { pushes: false, pulls: false },
    },
    boundPorts: async () => undefined,
    sendToSupervisor: () => false,
  });
  const app = createApp({
    modules,
    log,
    version: '0.0.0',
    dataDir: folder.root,
    trustsLoopbackCallbacks: false,
    callbackSecret: 'c',
    metricsToken: '',
    notReady: () => undefined,
    mediaServerAddress: address,
    mediaServers: {
      rows: async () => undefined,
      summary: async () => undefined,
      disconnect: async () => undefined,
    },
  });
  const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
    app.inject({ method: 'POST', url, headers, payload: JSON.stringify(payload) });
  try {
    // A page limit causes the same error code as a full disk (SQLITE_FULL).
    const pages = Number(database.prepare('PRAGMA page_count').get()?.page_count);
    database.exec(`PRAGMA max_page_count = ${pages}`);
    const target = {
      action: 'update',
      server: `rtmp://203.0.113.9/${'x'.repeat(500)}/`,
      secret: 'key',
      enabled: false,
    };
    const fill = (name: string) =>
      post(
        endpoints.forwardSecret.path,
        { ...target, platform: `forwarding-${name}`, custom: true, label: name },
        bearer,
      );
    const bearer = { authorization: 'Bearer s' };
    let refused = await fill('first');
    for (let i = 0; refused.statusCode === 200 && i < 30; i++) refused = await fill(`${i}`);
    expect(refused.statusCode).toBe(503);
    expect(refused.json()).toMatchObject({ code: 1007 });
    const login = await post(endpoints.login.path, { password: 'correct' }, { 'x-forwarded-for': '203.0.113.1' });
    expect(login.statusCode).toBe(200);
    const { publish } = modules.streams.publishSecret.current();
    for (let i = 0; i < 40; i++) {
      const event = {
        action: 'on_publish',
        app: 'live',
        stream: `s${i}`,
        client_id: `c${i}`,
        param: `?secret=${publish}&pad=${'x'.repeat(400)}`,
      };
      const response = await post(endpoints.verifyStream.path, event, { 'x-callback-secret': 'c' });
      expect(response.json()).toMatchObject({ code: 0 });
    }
    expect((await modules.streams.active.list()).length).toBeLessThan(40);
  } finally {
    await app.close();
    await modules.monitor.close();
    await store.close();
    await other.dispose();
  }
});
