import { type DvrRow, storageKeys, type VodRow } from '@srs-stack/contract';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
import { Refusal, startFakeServer, testSession } from '../../testing/fake-server.ts';
import { renderApp } from '../../testing/render-app.tsx';

beforeEach(() => localStorage.setItem(storageKeys.token, JSON.stringify(testSession)));

const common = {
  uuid: '00000000-0000-4000-8000-000000000001',
  vhost: '__defaultVhost__',
  app: 'live',
  stream: 'camera',
  progress: true,
  update: '2026-01-02T03:05:06Z',
  nn: 4,
  duration: 8.04,
  size: 2_400_000,
  state: 'recording',
  begin: '2026-01-02T03:04:05Z',
  problem: '',
  problemKind: null,
  retryAt: '',
  uploaded: 3,
} as const;
const dvrRow = (change: Partial<DvrRow> = {}): DvrRow => ({
  ...common,
  bucket: 'srs-lighthouse-ab12-1250000000',
  region: 'ap-beijing',
  url: '',
  ...change,
});
const vodRow = (change: Partial<VodRow> = {}): VodRow => ({ ...common, file: '', media: '', task: null, ...change });

function startServer({ dvr = false, vod = false, secret = true } = {}, rows: { dvr?: DvrRow[]; vod?: VodRow[] } = {}) {
  const on = { dvr, vod };
  let known = secret;
  return startFakeServer({
    queryDvr: () => ({ all: on.dvr, secret: known }),
    queryVod: () => ({ all: on.vod, secret: known, service: known, storage: known }),
    applyDvr: ({ all = false }) => {
      on.dvr = all;
      return null;
    },
    queryDvrFiles: () => rows.dvr ?? [],
    queryVodFiles: () => rows.vod ?? [],
    queryCloudAccount: () => ({
      secretId: known ? 'AKID…hESA' : '',
      bucket: 'srs-lighthouse-ab12-1250000000',
      region: 'ap-beijing',
      application: '1500000000',
      storageRegion: 'ap-chongqing',
    }),
    updateCloudSecret: () => {
      known = true;
      return null;
    },
    removeDvr: () => {
      rows.dvr?.splice(0, 1);
      return null;
    },
  });
}
const open = (tab = 'dvr', locale: 'zh' | 'en' = 'zh') =>
  renderApp(`/${locale}/routers-scenario?tab=others&ctab=deprecated&dtab=${tab}`, locale);

describe('cloud recording', () => {
  test('is in preparation in other languages, and sends no request', async () => {
    const server = startServer();
    await open('dvr', 'en');
    expect(await screen.findByText('On the way...')).toBeTruthy();
    expect(server.callsOf('queryDvr')).toEqual([]);
  });

  test('the secret is trimmed, sent once and removed from the form; the stored id is shown masked', async () => {
    const server = startServer({ secret: false });
    const user = userEvent.setup();
    await open();
    await user.click(await screen.findByRole('button', { name: '验证并保存密钥' }));
    expect(await screen.findByText('请输入 SecretId 和 SecretKey。')).toBeTruthy();
    expect(server.callsOf('updateCloudSecret')).toEqual([]);
    await user.type(screen.getByLabelText('SecretId'), ' AKIDx ');
    await user.type(screen.getByLabelText('SecretKey'), 'key');
    await user.click(screen.getByRole('button', { name: '验证并保存密钥' }));
    expect(await screen.findByText('云密钥已保存')).toBeTruthy();
    expect(server.callsOf('updateCloudSecret')[0]?.body).toMatchObject({ secretId: 'AKIDx', secretKey: 'key' });
    await waitFor(() => expect((screen.getByLabelText('SecretKey') as HTMLInputElement).value).toBe(''));
    expect(await screen.findByText('AKID…hESA')).toBeTruthy();
  });

  test('the rule is saved and confirmed', async () => {
    const server = startServer();
    const user = userEvent.setup();
    await open();
    await user.click(await screen.findByLabelText('将所有流录制到对象存储'));
    await user.click(screen.getByRole('button', { name: '保存规则' }));
    expect(await screen.findByText('DVR 规则已保存')).toBeTruthy();
    expect(server.callsOf('applyDvr')[0]?.body).toMatchObject({ all: true });
  });

  test('the checkbox is disabled while the other one is on', async () => {
    startServer({ dvr: true });
    await open('vod');
    const box = (await screen.findByLabelText('将所有流录制到云点播')) as HTMLInputElement;
    expect(box.disabled).toBe(true);
    expect(screen.getByText(/云录制 DVR已开启/)).toBeTruthy();
  });

  test('a running DVR task shows its progress, its bucket and what blocks it', async () => {
    const problem = {
      problemKind: 'denied',
      problem: 'upload x: AccessDenied',
      retryAt: '2026-01-02T03:06:00Z',
    } as const;
    startServer({ dvr: true }, { dvr: [dvrRow(problem)] });
    await open();
    const row = (await screen.findByText('live/camera')).closest('li');
    expect(row?.textContent).toContain('3 / 4 已上传');
    expect(row?.textContent).toContain('8.0 s');
    expect(row?.textContent).toContain('2.3 MB');
    expect(row?.textContent).toContain('srs-lighthouse-ab12-1250000000 · ap-beijing');
    expect(row?.textContent).toContain('密钥没有权限');
    expect(row?.textContent).toContain('upload x: AccessDenied');
    const link = screen.getByRole('link', { name: '预览 live/camera' }).getAttribute('href') ?? '';
    expect(decodeURIComponent(link)).toContain(`/terraform/v1/hooks/dvr/hls/${common.uuid}.m3u8`);
    expect(screen.queryByRole('button', { name: '移除 live/camera' })).toBeNull();
  });

  test.each([
    ['AccessDenied', '密钥缺少所需权限（AccessDenied）。', undefined],
    ['ETIMEDOUT', '云服务未及时响应（ETIMEDOUT）。', undefined],
    ['Odd.Code', undefined, 'upload x: no (Odd.Code)'],
  ])(
    'problem %s of a task is shown in the language of the page, an unknown one with the message of the cloud',
    async (problemCode, text, message) => {
      const problem = { problemKind: 'refused', problem: `upload x: no (${problemCode})`, problemCode } as const;
      startServer({ dvr: true }, { dvr: [dvrRow(problem)] });
      await open();
      const row = (await screen.findByText('live/camera')).closest('li');
      expect(row?.textContent).toContain(text ?? message);
      expect(row?.textContent?.includes('upload x')).toBe(message !== undefined);
    },
  );

  test('a task that is not recording can be removed after a confirmation', async () => {
    const server = startServer({ dvr: true }, { dvr: [dvrRow({ state: 'uploading' })] });
    const user = userEvent.setup();
    await open();
    await user.click(await screen.findByRole('button', { name: '移除 live/camera' }));
    await user.click(await screen.findByRole('button', { name: '继续' }));
    await waitFor(() => expect(server.callsOf('removeDvr')[0]?.body.uuid).toBe(common.uuid));
    expect(await screen.findByText('还没有任务')).toBeTruthy();
  });

  test('a completed VoD task shows its size and links to its MP4', async () => {
    const task = {
      url: 'https://v/f0.mp4',
      bitrate: 1,
      height: 360,
      width: 640,
      size: 1024 ** 2,
      duration: 8,
      md5: 'x',
    };
    const done = {
      state: 'done',
      progress: false,
      uploaded: 4,
      file: '5285890',
      media: 'https://v/f0.m3u8',
      task,
    } as const;
    startServer({ vod: true }, { vod: [vodRow(done)] });
    await open('vod');
    const row = (await screen.findByText('live/camera')).closest('li');
    expect(row?.textContent).toContain('已完成');
    expect(row?.textContent).toContain('640×360，1.0 MB');
    expect(screen.getByRole('link', { name: '打开 MP4：live/camera' }).getAttribute('href')).toBe('https://v/f0.mp4');
  });

  test('an ended session leads to the logout screen; another refusal is shown with its code', async () => {
    startServer().respondWith({ queryVod: () => new Refusal('tokenInvalid') });
    const page = await open();
    await waitFor(() => expect(page.url()).not.toContain('scenario'));
    page.unmount();
    localStorage.setItem(storageKeys.token, JSON.stringify(testSession));
    startServer().respondWith({ queryDvr: () => new Refusal('storeNotReady') });
    await open();
    expect(await screen.findByText(/^服务器错误，1007：/)).toBeTruthy();
  });
});
