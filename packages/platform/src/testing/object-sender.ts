// Uploads one file to a bucket; tests kill this process at any time. Arguments: data folder, file, endpoint, uuid.
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDataFolder } from '@srs-stack/process/data-folder.ts';
import { pino } from 'pino';
import { thisServer } from '../actor.ts';
import { openObjects } from '../objects/open-objects.ts';
import { createAuditTrail } from '../store/audit-trail.ts';
import { openStoreFile } from '../store/open-store.ts';

const [dataDir = '', path = '', endpoint = '', uuid = ''] = process.argv.slice(2);
const { store } = await openStoreFile(await openDataFolder(dataDir), new Date());
const now = () => new Date();
const log = pino({ level: 'silent' });
const audit = createAuditTrail({ store, log, now });
const objects = await openObjects({ store, audit, log, now, partBytes: 64 * 1024 });
objects.own({
  async onStored(_uuid, object) {
    await writeFile(join(dataDir, 'stored.json'), JSON.stringify(object));
    await objects.close();
    await store.close();
    process.exit(0);
  },
  onSettings: () => undefined,
});
if (!objects.settings().on) {
  const place = { endpoint, region: 'us-east-1', bucket: 'recordings', pathStyle: true, prefix: 'films' };
  const keys = { accessKey: 'S3RVER', secretKey: 'S3RVER' };
  const typed = { ...place, ...keys, on: true, local: 'remove', delivery: 'server' } as const;
  await objects.change(typed, { actor: thisServer });
}
objects.start();
const { size: sizeBytes } = await stat(path);
objects.offer({ uuid, path, key: `live/${uuid}.mp4`, contentType: 'video/mp4', sizeBytes });
