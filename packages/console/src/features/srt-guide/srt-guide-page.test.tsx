import { storageKeys } from '@srs-stack/contract';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { startFakeServer, testSession } from '../../testing/fake-server.ts';
import { renderApp } from '../../testing/render-app.tsx';

beforeEach(() => {
  startFakeServer();
  vi.stubGlobal('isSecureContext', true);
  localStorage.setItem(storageKeys.token, JSON.stringify(testSession));
});

const panelOf = async (name: RegExp) => {
  const control = await screen.findByRole('button', { name });
  return document.getElementById(control.getAttribute('aria-controls') ?? '')!;
};

describe('SRT guide', () => {
  it('gives vMix its fields one by one, the stream ID masked but copied whole', async () => {
    const user = userEvent.setup();
    await renderApp('/en/routers-scenario?tab=others', 'en');
    const panel = await panelOf(/^vMix over SRT/);
    const fields: Record<string, string> = {};
    for (const name of ['Host', 'Port', 'Latency (ms)', 'Stream ID']) {
      await user.click(within(panel).getByRole('button', { name: `Copy ${name}` }));
      fields[name] = await navigator.clipboard.readText();
    }
    expect(fields).toEqual({
      Host: 'console.test',
      Port: '10080',
      'Latency (ms)': '20',
      'Stream ID': '#!::r=live/livestream?secret=old-secret,m=publish',
    });
    expect(document.body.textContent).not.toContain('old-secret');
  });

  it('states the requirements and the ways to watch', async () => {
    const user = userEvent.setup();
    await renderApp('/en/routers-scenario?tab=others', 'en');
    await user.click(await screen.findByRole('button', { name: /^OBS over SRT/ }));
    const panel = await panelOf(/^OBS over SRT/);
    await within(panel).findByText('Watch over SRT');
    for (const text of ['60 ms or less', '10% or less', '80% or less', 'UDP/10080 open']) {
      expect(document.body.textContent).toContain(text);
    }
    expect(panel.textContent).toContain('3 s');
    expect(panel.textContent).toContain(
      "ffplay -fflags nobuffer -flags low_delay 'srt://console.test:10080?streamid=#!::r=live/livestream,latency=20,m=request'",
    );
    const links = within(panel).getAllByRole('link', { hidden: true });
    const targets = links.map((link) => link.getAttribute('href') ?? '').join(' ');
    for (const target of ['.flv', '.m3u8', '/players/whep.html']) expect(targets).toContain(target);
  });

  it('changes the stream name of every field', async () => {
    const user = userEvent.setup();
    await renderApp('/en/routers-scenario?tab=others&ctab=other', 'en');
    const panel = await panelOf(/^vMix over SRT/);
    await user.click(within(panel).getByRole('button', { name: 'New stream name' }));
    const name = localStorage.getItem(storageKeys.streamName) ?? '';
    expect(name).toMatch(/^[0-9a-f]{6}$/);
    await user.click(within(panel).getByRole('button', { name: 'Copy Stream ID' }));
    expect(await navigator.clipboard.readText()).toContain(`live/${name}?`);
  });

  it('has the walkthrough of a hardware encoder in Chinese only', async () => {
    const app = await renderApp('/zh/routers-scenario?tab=others', 'zh');
    expect(await screen.findByRole('button', { name: /^硬件编码器推 SRT 流/ })).toBeTruthy();
    app.unmount();
    await renderApp('/en/routers-scenario?tab=others', 'en');
    await screen.findByRole('button', { name: /^vMix over SRT/ });
    expect(screen.queryByRole('button', { name: /^Hardware encoder/ })).toBeNull();
  });
});
