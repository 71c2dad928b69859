// Every success message of the specification (§8), in both languages.
import { expect, test } from 'vitest';
import { i18next, type Namespace, startI18n } from '../i18n/i18n.ts';

/** Messages of the specification, and the text keys of the console that contain them. */
const messages: readonly [wanted: string, namespace: Namespace, key: string, en: RegExp, zh: RegExp][] = [
  ['copy ok', 'common', 'copy.done', /Copied/, /复制/],
  ['setup ok', 'setup', 'done', /set$/, /成功/],
  ['stream name changed', 'live', 'name.changed', /Stream name is now/, /流名称/],
  ['limit updated', 'limits', 'bitrate.saved', /Limit updated/, /限额/],
  ['upgrade ok (refresh page)', 'common', 'upgraded', /upgraded.*refreshed/, /升级.*刷新/],
  ['secret updated', 'publish-secret', 'secret.saved', /secret updated/, /更新/],
  ['SSL updated', 'certificates', 'upload.saved', /SSL certificate updated/, /SSL/],
  ["Let's Encrypt ok", 'certificates', 'order.done', /Let's Encrypt issued/, /Let's Encrypt/],
  ['footer set', 'beian', 'icp.saved', /Footer updated/, /更新/],
  ['header set', 'beian', 'title.saved', /Page title updated/, /更新/],
  ['Virtual live stream setup ok', 'vlives', 'saved', /^Virtual live stream setup ok$/, /虚拟直播/],
  ['DVR rule saved', 'cloud-recording', 'success.dvrSaved', /DVR rule saved/, /保存/],
  ['VoD rule saved', 'cloud-recording', 'success.vodSaved', /VoD rule saved/, /保存/],
  ['cloud secret ok', 'cloud-recording', 'success.secretSaved', /Cloud secret saved/, /密钥/],
];

test.each(messages)('"%s" is shown', async (_wanted, namespace, key, en, zh) => {
  await startI18n('en', [namespace]);
  expect(i18next.t(`${namespace}:${key}` as 'common:save')).toMatch(en);
  await i18next.changeLanguage('zh');
  expect(i18next.t(`${namespace}:${key}` as 'common:save')).toMatch(zh);
});
