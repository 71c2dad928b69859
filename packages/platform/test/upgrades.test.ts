// The calls of upgrades. A fake supervisor records requests, and the test writes the files of the supervisor.
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { EndpointName, UpgradeRequest } from '@srs-stack/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openTestPlatform, type TestPlatform, testCallbackSecret } from '../src/testing/test-platform.ts';

const [installed, newer] = ['a'.repeat(40), 'b'.repeat(40)];
const release = { channel: 'stable', version: '1.1.0', commit: newer, date: '', changes: ['Sooner.'], moreChanges: 0 };
const installation = {
  kind: 'checkout',
  version: '1.0.0',
  commit: installed,
  folder: '/srv',
  remote: 'https://e.org/x',
};
const requests: UpgradeRequest[] = [];

let platform: TestPlatform;
beforeEach(async () => {
  requests.length = 0;
  platform = await openTestPlatform({}, (request) => requests.push(request) > 0);
  await mkdir(join(platform.dataDir, 'releases'));
});
afterEach(() => platform.dispose());

const at = () => new Date(platform.clock.nowMs).toISOString();
const write = (path: string, content: object) => writeFile(join(platform.dataDir, path), JSON.stringify(content));
const writeInstallation = (change = {}) => write('run/installation.json', { ...installation, ...change });
const writeFound = (change = {}) =>
  write('releases/found.json', { checkedAt: at(), problem: null, stable: release, development: null, ...change });
const writeProgress = (state: string, change = {}) =>
  write('releases/progress.json', {
    state,
    step: 'install',
    startedAt: at(),
    target: release,
    problem: null,
    ...change,
  });
const data = async (name: EndpointName, body: object = {}) => (await platform.call(name, body)).body.data;
const refusal = async (name: EndpointName, body: object = {}) => {
  const { status, body: response } = await platform.call(name, body);
  return status === 200 ? '' : response.data.name;
};

describe('queries', () => {
  it('returns null for unknown facts, and the stable channel without auto-upgrade until the operator selects another', async () => {
    expect(await data('queryUpgrade')).toMatchObject({
      channel: 'stable',
      auto: false,
      installation: null,
      found: null,
      isLooking: false,
      progress: null,
      result: null,
      liveStreams: [],
    });
  });

  it('returns the content of the files, and ignores one of another release', async () => {
    await writeInstallation();
    await writeFound();
    await write('releases/progress.json', { state: 'melting' });
    expect(await data('queryUpgrade')).toMatchObject({ installation, found: { stable: release }, progress: null });
  });

  it('lists the streams that would be interrupted', async () => {
    const { publish } = await data('queryPublishSecret');
    const event = { action: 'on_publish', client_id: 'c', vhost: '__defaultVhost__', app: 'live', stream: 'lobby' };
    const param = `?secret=${publish}`;
    await platform.call('verifyStream', { ...event, param }, { 'x-callback-secret': testCallbackSecret });
    expect((await data('queryUpgrade')).liveStreams).toEqual(['live/lobby']);
  });

  it('older calls return the result too', async () => {
    await writeFound();
    await writeProgress('running');
    expect(await data('status')).toMatchObject({ releases: { stable: 'v1.1.0' }, upgrading: true, strategy: 'manual' });
    expect(await data('check')).toEqual({ upgrading: true });
  });
});

describe('checks and starts', () => {
  it('sends a request to the supervisor, one at a time', async () => {
    await writeInstallation();
    expect(await refusal('lookForReleases')).toBe('');
    expect((await data('queryUpgrade')).isLooking).toBe(true);
    expect(await refusal('lookForReleases')).toBe('upgradeRunning');
    platform.clock.nowMs += 1_000;
    await writeFound();
    expect((await data('queryUpgrade')).isLooking).toBe(false);
    expect(await refusal('startUpgrade', { channel: 'stable', commit: newer })).toBe('');
    expect(await refusal('startUpgrade', { channel: 'stable', commit: newer })).toBe('upgradeRunning');
    expect(requests).toEqual([
      { type: 'upgrade', action: 'look' },
      { type: 'upgrade', action: 'install', channel: 'stable', commit: newer },
    ]);
    const { entries } = await data('queryAudit', { limit: 1 });
    expect(entries[0]).toMatchObject({
      action: 'upgrade-started',
      detail: 'preparing release 1.1.0 (stable); streams are interrupted for some seconds when the release starts',
    });
  });

  it('never returns the result of an earlier request, whenever it arrives', async () => {
    await writeInstallation();
    await writeFound();
    for (let round = 0; round < 20; round++) {
      platform.clock.nowMs += 1_000;
      await data('lookForReleases');
      const requestedAt = at();
      platform.clock.nowMs += 1_000;
      await write('releases/next.json', { checkedAt: at(), problem: null, stable: release, development: null });
      const responses = Promise.all(Array.from({ length: 20 }, () => data('queryUpgrade')));
      for (let turn = 0; turn < 2 * round; turn++) await setImmediate();
      await rename(join(platform.dataDir, 'releases/next.json'), join(platform.dataDir, 'releases/found.json'));
      for (const { found, isLooking } of await responses) expect(isLooking).toBe(found.checkedAt < requestedAt);
    }
  });

  it('installs only the release that was shown', async () => {
    await writeInstallation();
    await writeFound();
    expect(await refusal('startUpgrade', { channel: 'stable', commit: installed })).toBe('upgradeReleaseChanged');
    expect(await refusal('startUpgrade', { channel: 'development', commit: newer })).toBe('upgradeReleaseChanged');
    expect(await refusal('startUpgrade', { channel: 'stable', commit: '--upload-pack=x' })).toBe('invalidRequest');
    expect(requests).toEqual([]);
  });

  it('is refused if the installation does not support it, and while an upgrade runs', async () => {
    expect(await refusal('lookForReleases')).toBe('upgradeUnavailable');
    await writeInstallation({ kind: 'container' });
    expect(await refusal('lookForReleases')).toBe('upgradeUnavailable');
    await writeInstallation();
    await writeProgress('running');
    expect(await refusal('lookForReleases')).toBe('upgradeRunning');
    await writeProgress('failed', { problem: { reason: 'install-failed', detail: 'npm' } });
    expect(await refusal('lookForReleases')).toBe('');
  });

  it('needs a supervisor', async () => {
    const alone = await openTestPlatform();
    await writeFile(join(alone.dataDir, 'run/installation.json'), JSON.stringify(installation));
    expect((await alone.call('lookForReleases')).body.data.name).toBe('upgradeUnavailable');
    await alone.dispose();
  });
});

describe('settings', () => {
  it('survive a restart, and the second of two conflicting changes is refused', async () => {
    const { revision } = await data('queryUpgrade');
    expect(await refusal('updateUpgradeSettings', { channel: 'development', auto: true, revision })).toBe('');
    expect(await refusal('updateUpgradeSettings', { channel: 'stable', auto: true, revision })).toBe('settingsChanged');
    platform = await platform.reopen();
    expect(await data('queryUpgrade')).toMatchObject({ channel: 'development', auto: true });
    expect(await data('status')).toMatchObject({ strategy: 'auto' });
  });
});

describe('over time', () => {
  const result = (outcome: string, time: string) => ({
    result: {
      outcome,
      at: time,
      from: '1.0.0',
      to: { channel: 'stable', version: '1.1.0', commit: newer },
      problem: outcome === 'upgraded' ? null : { reason: 'ended', detail: 'x' },
      interruptionMs: 2_345,
    },
  });
  const kinds = async () => {
    const { entries } = await data('queryAudit', { limit: 5 });
    return entries.map(({ action, detail }: { action: string; detail: string }) => `${action}: ${detail}`);
  };
  const keepUntil = async (isSo: () => Promise<void>) => {
    const stopping = new AbortController();
    const kept = platform.modules.settings.upgrades.keep(stopping.signal, 10);
    try {
      await vi.waitFor(isSo, { timeout: 30_000 });
    } finally {
      stopping.abort();
      await kept;
    }
  };

  it('the result of an upgrade is reported once, with the interruption', async () => {
    await write('releases/state.json', result('upgraded', '2026-01-02T03:04:00Z'));
    const upgraded = 'upgraded: from release 1.0.0 to 1.1.0; downtime 2.3 s';
    await keepUntil(async () => expect(await kinds()).toEqual([upgraded]));
    await write('releases/state.json', result('rolled-back', '2026-01-03T03:04:00Z'));
    const back = 'upgrade-taken-back: release 1.1.0 failed, rolled back to 1.0.0; downtime 2.3 s';
    await keepUntil(async () => expect(await kinds()).toEqual([back, upgraded]));
  });

  it('auto-upgrade starts inside the window and never outside', async () => {
    await writeInstallation();
    await writeFound();
    await data('updateUpgradeSettings', { channel: 'stable', auto: true });
    const opens = (hours: number) => {
      const time = (offset: number) => {
        const when = new Date(platform.clock.nowMs + offset * 3_600_000);
        return `${String(when.getHours()).padStart(2, '0')}:${String(when.getMinutes()).padStart(2, '0')}`;
      };
      return data('updateUpgradeWindow', { start: time(hours), end: time(hours + 4) });
    };
    await opens(2);
    await write('releases/state.json', result('upgraded', '2026-01-02T03:04:00Z'));
    await keepUntil(async () => expect((await kinds()).join()).toContain('upgraded: '));
    expect(requests).toEqual([]);
    await opens(-1);
    await keepUntil(async () => expect(requests).toMatchObject([{ action: 'install', commit: newer }]));
  });
});
