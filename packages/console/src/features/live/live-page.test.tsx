import { storageKeys } from '@srs-stack/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFakeServer, type FakeServer, liveStreamFixture, renderLivePage } from './testing.tsx';

let server: FakeServer;

beforeEach(() => {
  server = createFakeServer();
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => server.respond(path, init));
});

afterEach(() => {
  vi.unstubAllGlobals();
});

async function openedItem(user: ReturnType<typeof userEvent.setup>, name: RegExp): Promise<HTMLElement> {
  const control = await screen.findByRole('button', { name });
  await user.click(control);
  return document.getElementById(control.getAttribute('aria-controls') ?? '')!;
}

function locationOf(href: string) {
  const { hostname, protocol, port, pathname, search, origin } = new URL(href);
  return { hostname, protocol, port, pathname, search, origin, href };
}

const card = () => screen.findByRole('region', { name: 'Live status' });

describe('Live page', () => {
  it('opens OBS over RTMP with its addresses, the key masked but copied whole', async () => {
    const user = userEvent.setup();
    await renderLivePage('en');
    const control = await screen.findByRole('button', { name: /^OBS over RTMP/ });
    expect(control.getAttribute('aria-expanded')).toBe('true');
    expect(screen.getAllByText('rtmp://console.test/live/')[0]).toBeTruthy();
    expect(document.body.textContent).not.toContain('topsecret');
    await user.click(screen.getAllByRole('button', { name: 'Copy Stream key' })[0]!);
    await waitFor(async () => expect(await navigator.clipboard.readText()).toBe('livestream?secret=topsecret'));
    await user.click(screen.getAllByRole('button', { name: 'Show Stream key' })[0]!);
    expect(screen.getAllByText('livestream?secret=topsecret')[0]).toBeTruthy();
  });

  it.each([
    ['en', 'Server over TLS (RTMPS)'],
    ['zh', '服务器（RTMPS 加密）'],
  ] as const)('shows the RTMPS server beside the RTMP server while its port is bound, in %s', async (locale, label) => {
    await renderLivePage(locale, { environment: { rtmpsPort: '1936' } });
    expect((await screen.findAllByText(label))[0]).toBeTruthy();
    expect(screen.getAllByText('rtmps://console.test:1936/live/')[0]).toBeTruthy();
  });

  it('shows no RTMPS server while its port is not bound', async () => {
    await renderLivePage('en');
    await screen.findAllByText('rtmp://console.test/live/');
    expect(screen.queryByText(/RTMPS/)).toBeNull();
  });

  it.each([
    ['en', 'Publish address', 'Play address'],
    ['zh', '推流地址', '播放地址'],
  ] as const)('shows the RTSP addresses while RTSP is bound, in %s', async (locale, publish, play) => {
    const user = userEvent.setup();
    await renderLivePage(locale, { environment: { rtspPort: '8554' } });
    const panel = await openedItem(user, /^RTSP/);
    expect(within(panel).getByText(publish)).toBeTruthy();
    expect(within(panel).getByText(play)).toBeTruthy();
    expect(within(panel).getByText('rtsp://console.test:8554/live/livestream')).toBeTruthy();
    expect(panel.textContent).toContain('TCP/8554');
    expect(document.body.textContent).not.toContain('topsecret');
  });

  it('shows no RTSP item while RTSP is off', async () => {
    await renderLivePage('en');
    await screen.findAllByText('rtmp://console.test/live/');
    expect(screen.queryByText(/^RTSP/)).toBeNull();
  });

  it('shows the SRT address to OBS and FFmpeg, masked, with the UDP port to open', async () => {
    const user = userEvent.setup();
    await renderLivePage('en', { environment: { srtPort: '20080' } });
    const panel = await openedItem(user, /^OBS over SRT/);
    expect(panel.textContent).toContain('Open UDP/20080');
    await user.click(within(panel).getByRole('button', { name: 'Copy Server' }));
    const address = 'srt://console.test:20080?streamid=#!::r=live/livestream?secret=topsecret,m=publish';
    expect(await navigator.clipboard.readText()).toBe(address);
    const commands = await openedItem(user, /^FFmpeg over SRT/);
    expect(commands.textContent).toContain(
      "srt://console.test:20080?streamid=#!::r=live/livestream?secret=******,m=publish'",
    );
    expect(document.body.textContent).not.toContain('topsecret');
  });

  it('requires HTTPS where the browser would refuse the camera, and shows the address', async () => {
    const user = userEvent.setup();
    await renderLivePage('en', { environment: { httpsPort: '2443' } });
    const panel = await openedItem(user, /^Browser over WebRTC/);
    expect(within(panel).getByText('HTTPS is required')).toBeTruthy();
    const link = within(panel).getByRole('link', { name: 'https://console.test' });
    expect(link.getAttribute('href')).toMatch(/^https:\/\/console\.test\//);
    expect(within(panel).queryByRole('link', { name: 'Open the publisher page' })).toBeNull();
    const forObs = await openedItem(user, /^OBS 30/);
    expect(within(forObs).queryByText('HTTPS is required')).toBeNull();
    expect(forObs.textContent).toContain('UDP/8000');
  });

  it('advises against localhost until the operator insists', async () => {
    vi.stubGlobal('location', { ...locationOf('http://localhost:2022/mgmt/') });
    const user = userEvent.setup();
    await renderLivePage('en', { environment: { platformDocker: true } });
    const panel = await openedItem(user, /^Browser over WebRTC/);
    expect(within(panel).getByText('WebRTC may not work on localhost')).toBeTruthy();
    expect(screen.queryAllByText('WebRTC player')).toEqual([]);
    await user.click(within(panel).getByRole('button', { name: 'Use localhost anyway' }));
    const link = await within(panel).findByRole('link', { name: 'Open the publisher page' });
    expect(link.getAttribute('href')).toBe(
      '/players/whip.html?schema=https&port=2022&api=2022&autostart=true&stream=livestream&secret=topsecret',
    );
    expect(within(panel).queryByText('WebRTC may not work on localhost')).toBeNull();
    expect(screen.getAllByText('WebRTC player').length).toBeGreaterThan(0);
  });

  it('links to the players for FLV, HLS and WebRTC, to the watch page, and to the media server console of the language', async () => {
    await renderLivePage('en');
    await screen.findByRole('button', { name: /^OBS over RTMP/ });
    const hrefs = new Set(screen.getAllByRole('link', { hidden: true }).map((link) => link.getAttribute('href') ?? ''));
    expect([...hrefs].sort()).toEqual([
      '/console/en_index.html#/summaries?port=2022&http=2022',
      '/players/whep.html?schema=http&port=2022&api=2022&autostart=true&stream=livestream',
      '/tools/player.html?url=http://console.test:2022/live/livestream.flv',
      '/tools/player.html?url=http://console.test:2022/live/livestream.m3u8',
      '/tools/xgplayer.html?url=http://console.test:2022/live/livestream.flv',
      '/tools/xgplayer.html?url=http://console.test:2022/live/livestream.m3u8',
      '/watch/live/livestream',
    ]);
  });

  it('marks a protected stream, and adds a signed link to all its addresses', async () => {
    server.watchMode = 'signed';
    server.watchKeys = [{ id: 'k1', last4: '9f3c', createdAt: '2026-02-11T09:30:00+08:00' }];
    const user = userEvent.setup();
    await renderLivePage('en');
    const panel = await openedItem(user, /^OBS over SRT/);
    expect(await within(panel).findByText(/^The addresses below play only with a signed link/)).toBeTruthy();
    await user.click(within(panel).getByRole('button', { name: 'Create link' }));
    expect(await within(panel).findByText(/^The addresses below now contain a signed link/)).toBeTruthy();
    expect(server.linked).toEqual([{ pattern: 'live/livestream', seconds: 86_400 }]);
    for (const address of [
      'http://console.test:2022/watch/live/livestream?watch=k1.2.3',
      'http://console.test:2022/live/livestream.flv?watch=k1.2.3',
      'http://console.test:2022/live/livestream.m3u8?watch=k1.2.3',
    ])
      expect(within(panel).getByText(address)).toBeTruthy();
    const player = within(panel).getAllByRole('link', { name: 'Simple player' })[0]!;
    expect(player.getAttribute('href')).toContain('.flv%3Fwatch%3Dk1.2.3');
  });

  it('offers to create a key where there is none to sign links with, and nothing for an open stream', async () => {
    server.watchMode = 'password';
    await renderLivePage('en');
    const panel = await openedItem(userEvent.setup(), /^OBS over SRT/);
    const link = await within(panel).findByRole('link', { name: 'Create a key' });
    expect(link.getAttribute('href')).toBe('/en/routers-settings?tab=watch');
    expect(within(panel).queryByRole('button', { name: 'Create link' })).toBeNull();
  });

  it('explains where to enable a disabled protocol, and offers no play address of it', async () => {
    server.components.components = [
      { name: 'srt', state: 'off', enabled: false, port: 10080 },
      { name: 'hls', state: 'absent', enabled: true },
    ];
    await renderLivePage('en');
    const panel = await openedItem(userEvent.setup(), /^OBS over SRT/);
    expect(await within(panel).findByText('SRT is disabled')).toBeTruthy();
    expect(within(panel).queryByText(/UDP\/10080/)).toBeNull();
    expect(within(panel).getByText('HLS is disabled')).toBeTruthy();
    expect(within(panel).queryByText('HLS address')).toBeNull();
    const [link] = within(panel).getAllByRole('link', { name: 'Open components' });
    expect(link!.getAttribute('href')).toBe('/en/routers-components');
  });

  it('reports an ended session in the guide and in the live card', async () => {
    const expired = { code: 2001, server: 1, data: { message: 'x', name: 'tokenInvalid' } };
    vi.stubGlobal('fetch', async () => Response.json(expired, { status: 401 }));
    await renderLivePage('en');
    await waitFor(() => expect(screen.getAllByText('Your session has expired.').length).toBeGreaterThan(1));
    expect(screen.queryByText(/not responding/)).toBeNull();
  });

  it('switches to a new stream name and remembers it', async () => {
    const user = userEvent.setup();
    await renderLivePage('en');
    await user.click((await screen.findAllByRole('button', { name: 'New stream name' }))[0]!);
    const name = localStorage.getItem(storageKeys.streamName) ?? '';
    expect(name).toMatch(/^[0-9a-f]{6}$/);
    expect(await screen.findByText(`Stream name is now ${name}`)).toBeTruthy();
    expect(screen.getAllByText(`http://console.test:2022/live/${name}.flv`)[0]).toBeTruthy();
  });

  it('accepts a typed name only when every protocol supports it', async () => {
    const user = userEvent.setup();
    await renderLivePage('en');
    await user.click(await screen.findByRole('button', { name: 'Change the stream name' }));
    const input = screen.getByRole('textbox', { name: 'Stream name' });
    await user.clear(input);
    await user.type(input, 'a/b');
    expect(screen.getByText(/Use only letters, digits/)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Use this name' })).toHaveProperty('disabled', true);
    await user.clear(input);
    await user.type(input, 'lobby{Enter}');
    expect(localStorage.getItem(storageKeys.streamName)).toBe('lobby');
    expect((await card()).textContent).toContain('live/lobby');
  });

  it('warns when anyone may publish and then shows the key', async () => {
    server.secret = { publish: 'topsecret', pubNoAuth: true, revision: 'r1' };
    await renderLivePage('en');
    expect((await screen.findAllByText('Publish authentication is off: anyone can publish.')).length).toBeGreaterThan(
      0,
    );
    expect(document.body.textContent).not.toContain('secret=');
  });

  it('is complete in Chinese, with the QR code of the publish address', async () => {
    await renderLivePage('zh');
    expect(await screen.findByRole('button', { name: /^OBS 推 RTMP 流/ })).toBeTruthy();
    expect((await screen.findAllByTitle('RTMP 推流地址二维码'))[0]).toBeTruthy();
    expect(await screen.findAllByTitle('SRT 推流地址二维码')).toHaveLength(2);
  });

  it('shows no QR code in English', async () => {
    await renderLivePage('en');
    await screen.findByRole('button', { name: /^OBS over RTMP/ });
    expect(screen.queryByTitle('QR code of the RTMP publish address')).toBeNull();
  });
});

describe('live card', () => {
  it('changes from waiting to live by itself, with codec, viewers and uptime', async () => {
    await renderLivePage('en');
    expect(await within(await card()).findByText('Waiting for the encoder')).toBeTruthy();
    server.live = { ...server.live, streams: [liveStreamFixture()] };
    await waitFor(async () => expect((await card()).dataset.state).toBe('live'));
    const text = (await card()).textContent ?? '';
    for (const fact of [
      'H.264',
      '1280×720',
      '30 fps',
      'AAC-LC',
      '44.1 kHz',
      '2.5 Mbps',
      'FLV 2',
      'HLS 1',
      '1:00:0',
      '10.0.0.7',
    ]) {
      expect(text).toContain(fact);
    }
  });

  it('shows the metrics of an SRT publisher’s connection and rates its latency', async () => {
    const publisherDetail = { rttMs: 61.4, latencyMs: 120, lostPackets: 12, recoveredPackets: 11, droppedPackets: 1 };
    server.live.streams = [liveStreamFixture({ publisherProtocol: 'srt', publisherDetail })];
    await renderLivePage('en');
    await waitFor(async () => expect((await card()).dataset.state).toBe('live'));
    const text = (await card()).textContent ?? '';
    for (const fact of ['SRT', 'RTT 61 ms', 'buffer 120 ms', 'lost 12', 'recovered 11', 'dropped 1']) {
      expect(text).toContain(fact);
    }
    expect(text).toContain('Set the latency of the encoder to at least 200 ms.');
  });

  it('explains a refused publish and what to do', async () => {
    const refusal = { protocol: 'rtmp', action: 'publish' as const, ip: '10.0.0.9', app: 'live', stream: 'livestream' };
    const at = new Date(Date.now() - 5_000).toISOString();
    server.live.refusals = [{ ...refusal, at, reason: 'stream-busy', detail: 'another publisher is sending' }];
    await renderLivePage('en');
    const alert = await within(await card()).findByText('Publish refused: name in use');
    expect(alert).toBeTruthy();
    expect((await card()).textContent).toMatch(
      /Stop it first, or use another stream name\..*\d s ago from 10\.0\.0\.9/,
    );
  });

  it('offers streams that are live under another name', async () => {
    const user = userEvent.setup();
    server.live.streams = [liveStreamFixture({ stream: 'lobby' })];
    await renderLivePage('en');
    await user.click(await within(await card()).findByRole('button', { name: 'lobby' }));
    await waitFor(async () => expect((await card()).dataset.state).toBe('live'));
    expect(localStorage.getItem(storageKeys.streamName)).toBe('lobby');
  });

  it('kicks the encoder only after naming the consequence', async () => {
    const user = userEvent.setup();
    server.live.streams = [liveStreamFixture({ hasMedia: false, viewers: 4 })];
    await renderLivePage('en');
    await user.click(await within(await card()).findByRole('button', { name: 'Disconnect encoder' }));
    expect(await screen.findByText(/encoder of livestream and 4 viewers will be disconnected/)).toBeTruthy();
    expect(server.kicked).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Continue', hidden: true }));
    await waitFor(() => expect(server.kicked).toHaveLength(1));
    expect(server.kicked[0]).toMatchObject({ vhost: '__defaultVhost__', app: 'live', stream: 'livestream' });
    await waitFor(async () => expect((await card()).dataset.state).toBe('waiting'));
  });

  it('reports that the media server is down', async () => {
    server.live.mediaServer = false;
    await renderLivePage('en');
    expect(await within(await card()).findByText('The media server is not responding. Retrying.')).toBeTruthy();
  });
});
