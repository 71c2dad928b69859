// A port and its sessions over loopback. The peers are a WebRTC library, OpenSSL's own client and bare sockets.
import { randomBytes } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import { writeBindingSuccess } from '@srs-stack/media/protocols/stun/binding-messages.ts';
import { hasIntegrity } from '@srs-stack/media/protocols/stun/stun-integrity.ts';
import { parseStunMessage } from '@srs-stack/media/protocols/stun/stun-message.ts';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { RtcPort } from '../src/rtc-port.ts';
import { type OpensslOptions, type OpensslPeer, openOpensslPeer } from './openssl-peer.ts';
import {
  checkOf,
  kindOf,
  type LibraryPeer,
  loopback,
  openBare,
  openPeer,
  type PeerOptions,
  payloadType,
  Relay,
  rtp,
  senderReport,
  ssrc,
  UdpPeer,
  until,
  untilConnected,
} from './rtc-rig.ts';

const faults: unknown[] = [];
let port: RtcPort;

beforeEach(() => {
  port = openPort();
});

afterEach(() => {
  expect(faults.splice(0)).toEqual([]);
});

function openPort(host = loopback): RtcPort {
  const opened = new RtcPort({ host, port: 0 }, (error) => faults.push(error));
  onTestFinished(() => opened.close());
  return opened;
}

async function socket(host = loopback): Promise<UdpPeer> {
  const peer = await UdpPeer.open(host);
  onTestFinished(() => peer.close());
  return peer;
}

async function relayTo(to: RtcPort): Promise<Relay> {
  const relay = await Relay.open(to.port);
  onTestFinished(() => relay.close());
  return relay;
}

async function peerOf(to: RtcPort, options?: PeerOptions): Promise<LibraryPeer> {
  const peer = await openPeer(to, options);
  onTestFinished(() => peer.close());
  return peer;
}

async function connectedPeer(to: RtcPort, options?: PeerOptions): Promise<LibraryPeer> {
  const peer = await peerOf(to, options);
  await untilConnected(peer);
  return peer;
}

const ciphers = ['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-ECDSA-CHACHA20-POLY1305'] as const;

async function opensslPeer(options: Partial<OpensslOptions> = {}): Promise<OpensslPeer> {
  const peer = await openOpensslPeer(port, { cipher: ciphers[0], ...options });
  onTestFinished(() => peer.close());
  return peer;
}

/** Datagrams are processed in order. The response to this check proves that all earlier datagrams were processed. */
async function untilServed(): Promise<void> {
  const { session } = openBare(port, true);
  const asker = await socket();
  await asker.send(checkOf(session), port.port);
  await asker.next('stun');
  session.close();
}

const audioPacket = (sequence: number, bytes?: number) =>
  rtp(sequence, { type: payloadType.audio, source: ssrc.ofPort, ...(bytes !== undefined && { bytes }) });
const videoPacket = (sequence: number) => rtp(sequence, { type: payloadType.video, source: ssrc.ofPeer });
const packets = (count: number, packet: (sequence: number) => Buffer) =>
  Array.from({ length: count }, (_, index) => packet(index + 1));
const roles = [
  ['server', 'actpass'],
  ['client', 'passive'],
] as const;

describe('a port', () => {
  it('that is in use is reported with its address', () => {
    const address = { host: loopback, port: port.port };
    expect(() => new RtcPort(address, () => undefined)).toThrow(
      expect.objectContaining({ code: 'EADDRINUSE', syscall: 'bind', address: loopback, port: port.port }),
    );
  });

  it('can be bound again after it was closed, and closed twice', () => {
    const number = port.port;
    port.close();
    port.close();
    const again = new RtcPort({ host: loopback, port: number }, () => undefined);
    expect(again.port).toBe(number);
    again.close();
  });

  it('refuses an address that this machine does not have', () => {
    expect(() => new RtcPort({ host: '192.0.2.1', port: 0 }, () => undefined)).toThrow(
      expect.objectContaining({ code: 'EADDRNOTAVAIL' }),
    );
  });
});

describe('a check', () => {
  it('with the right password gets a response, and DTLS starts at its source address', async () => {
    const { session } = openBare(port);
    const peer = await socket();
    const check = checkOf(session);
    await peer.send(check, port.port);
    const response = await peer.next('stun');
    const message = parseStunMessage(response);
    expect(message).toMatchObject({ class: 'success', transactionId: check.subarray(8, 20) });
    expect(message.mappedAddress).toEqual({ ip: loopback, port: peer.port });
    expect(hasIntegrity(response, message, session.password)).toBe(true);
    expect((await peer.next('dtls'))[0]).toBe(22);
  });

  it.each([
    ['a wrong password', (session: { ufrag: string }) => ({ ufrag: session.ufrag, password: 'x'.repeat(24) }), 401],
    ['an unknown session name', ({ password }: { password: string }) => ({ ufrag: 'nobody', password }), undefined],
  ] as const)('with %s reaches no session', async (_, change, errorCode) => {
    const { session } = openBare(port);
    const peer = await socket();
    await peer.send(checkOf(change(session)), port.port);
    // A first byte of 22 is DTLS for an address with a session. Without a session, the datagram is ignored.
    await peer.send(Buffer.from([22, 254, 253]), port.port);
    await untilServed();
    expect(port.counters.ignored).toBe(errorCode === undefined ? 2 : 1);
    expect(peer.received.map((datagram) => parseStunMessage(datagram).errorCode)).toEqual(
      errorCode === undefined ? [] : [errorCode],
    );
  });

  it('that is not a STUN message is not logged as a fault', async () => {
    const peer = await socket();
    for (const text of ['00', '0001', '000100002112a442', '03'.repeat(300)])
      await peer.send(Buffer.from(text, 'hex'), port.port);
    await untilServed();
    expect(peer.received).toEqual([]);
  });
});

describe('a datagram from an address without a valid check', () => {
  it('is ignored and counted', async () => {
    const { observed } = openBare(port, true);
    const peer = await socket();
    const strangers = [rtp(1, {}), senderReport(7), Buffer.from([22, 254, 253]), Buffer.from([64]), Buffer.from([255])];
    for (const datagram of [...strangers, Buffer.alloc(0)]) await peer.send(datagram, port.port);
    await untilServed();
    expect(port.counters.ignored).toBe(strangers.length + 1);
    expect(port.counters.received).toBe(strangers.length + 2);
    expect(observed).toMatchObject({ connected: 0, closed: 0, packets: [] });
    expect(peer.received).toEqual([]);
  });

  it("is ignored when it is a copy of the peer's datagram", async () => {
    const relay = await relayTo(port);
    const stranger = await socket();
    const copies: Promise<void>[] = [];
    relay.judge = (datagram, isToPort) => {
      if (isToPort && kindOf(datagram) === 'media') copies.push(stranger.send(datagram, port.port));
      return true;
    };
    const peer = await connectedPeer(port, { relay });
    for (const packet of packets(5, videoPacket)) peer.video.sendMessageBinary(packet);
    await until(() => peer.observed.packets.length >= 5 && copies.length >= 5);
    await Promise.all(copies);
    await untilServed();
    expect(port.counters.ignored).toBe(copies.length);
  });
});

describe.each(roles)('with the port as DTLS %s', (_, setup) => {
  it('carries media and reports in both directions', async () => {
    const peer = await connectedPeer(port, { setup });
    const sent = { video: packets(20, videoPacket), audio: packets(20, audioPacket) };
    for (const packet of [...sent.video, senderReport(ssrc.ofPeer)]) peer.video.sendMessageBinary(packet);
    for (const packet of [...sent.audio, senderReport(ssrc.ofPort)]) expect(peer.session.send(packet)).toBe(true);
    const has = (list: readonly Buffer[], wanted: Buffer) => list.some((packet) => packet.equals(wanted));
    await until(() => has(peer.observed.packets, senderReport(ssrc.ofPeer)));
    await until(() => has(peer.received, senderReport(ssrc.ofPort)));
    expect(peer.observed.packets.filter((packet) => packet[1] === payloadType.video)).toEqual(sent.video);
    expect(peer.received.filter((packet) => packet[1] === payloadType.audio)).toEqual(sent.audio);
    expect(peer.observed).toMatchObject({ connected: 1, closed: 0 });
  });

  it('refuses a peer whose certificate differs from the announced one', async () => {
    const relay = await relayTo(port);
    const peer = await peerOf(port, { setup, relay, fingerprint: { hash: 'sha-256', digest: randomBytes(32) } });
    const ofPeer = () => relay.near.received.filter((datagram) => kindOf(datagram) === 'dtls');
    // Waits for the peer's certificate and its retransmission. The port ignores a wrong certificate, because an attacker may have sent it.
    const wanted = setup === 'actpass' ? 3 : 2;
    await until(() => ofPeer().length >= wanted);
    peer.video.isOpen() && peer.video.sendMessageBinary(videoPacket(1));
    expect(peer.session.send(audioPacket(1))).toBe(false);
    await untilServed();
    expect(peer.observed).toMatchObject({ connected: 0, closed: 0, packets: [] });
  });

  it('unauthenticated records end no session', async () => {
    const relay = await relayTo(port);
    const peer = await connectedPeer(port, { setup, relay });
    for (const type of [20, 21, 22, 23, 26])
      for (const epoch of [0, 1, 2])
        for (const bytes of [0, 1, 2, 7, 8, 15, 16, 23, 24, 25, 40]) {
          const record = Buffer.alloc(13 + bytes, 5);
          record.writeUInt8(type, 0);
          record.writeUInt16BE(0xfefd, 1);
          record.writeUInt16BE(epoch, 3);
          record.writeUIntBE(100 + bytes, 5, 6);
          record.writeUInt16BE(bytes, 11);
          await relay.far.send(record, port.port);
        }
    await untilServed();
    expect(peer.observed.closed).toBe(0);
    peer.session.send(audioPacket(1));
    await until(() => peer.received.length > 0);
  });

  it('notifies the peer when the session is closed', async () => {
    const peer = await connectedPeer(port, { setup });
    peer.session.close();
    await until(() => peer.states.some((state) => state === 'closed' || state === 'disconnected'));
    peer.session.close();
    expect(peer.session.send(audioPacket(1))).toBe(false);
    expect(peer.observed.closed).toBe(0);
  });

  it('notifies the peers when the port is closed', async () => {
    const peer = await connectedPeer(port, { setup });
    port.close();
    await until(() => peer.states.some((state) => state === 'closed' || state === 'disconnected'));
    expect(peer.session.send(audioPacket(1))).toBe(false);
    peer.session.close();
  });
});

it('a handshake succeeds although our flight is lost repeatedly', async () => {
  const relay = await relayTo(port);
  // Drops two flights of four datagrams and a part of the third: more than may be sent to a silent address.
  let lost = 0;
  relay.judge = (datagram, isToPort) => isToPort || kindOf(datagram) !== 'dtls' || ++lost > 9;
  await connectedPeer(port, { relay });
});

describe('a handshake in fragments', () => {
  it.each([
    ['of every message', { mtu: 256 }],
    ['of every message, the certificate in many', { key: ['rsa:2048'], mtu: 256 }],
  ] as const)('%s succeeds', async (_, options) => {
    const peer = await opensslPeer(options);
    peer.session.send(audioPacket(1));
    await until(() => peer.received().length === 1);
  });
});

describe('SRTP', () => {
  it('is AES-GCM when the peer supports it: 16 bytes more, and 20 for a report', async () => {
    const relay = await relayTo(port);
    const peer = await connectedPeer(port, { relay });
    peer.session.send(audioPacket(1));
    peer.session.send(senderReport(ssrc.ofPort));
    await until(() => peer.received.length >= 2);
    const [media, report] = relay.far.received.filter((datagram) => kindOf(datagram) === 'media');
    expect([media?.length, report?.length]).toEqual([audioPacket(1).length + 16, senderReport(1).length + 20]);
    expect(media?.subarray(0, 12)).toEqual(audioPacket(1).subarray(0, 12));
    expect(media?.subarray(12, -16)).not.toEqual(audioPacket(1).subarray(12));
  });

  it('is AES-CM with HMAC-SHA1 when the peer supports no other profile, in both directions', async () => {
    const peer = await opensslPeer();
    const sent = { video: packets(5, videoPacket), audio: packets(5, audioPacket) };
    for (const packet of sent.audio) peer.session.send(packet);
    for (const packet of sent.video) await peer.send(peer.protect(packet));
    await until(() => peer.observed.packets.length >= 5 && peer.received().length >= 5);
    expect(peer.observed.packets).toEqual(sent.video);
    expect(peer.received()).toEqual(sent.audio);
    const { ignored } = port.counters;
    const next = peer.protect(videoPacket(6));
    for (const at of [1, 9, 50, next.length - 1]) {
      const changed = Buffer.from(next);
      changed[at]! ^= 1;
      await peer.send(changed);
    }
    await peer.send(peer.protect(videoPacket(5)));
    await peer.send(next);
    await untilServed();
    expect(port.counters.ignored).toBe(ignored + 5);
    expect(peer.observed.packets).toEqual([...sent.video, videoPacket(6)]);
  });

  it('accepts no packet twice, and none that was modified', async () => {
    const relay = await relayTo(port);
    let last: Buffer | undefined;
    relay.judge = (datagram, isToPort) => {
      if (isToPort && kindOf(datagram) === 'media') last = datagram;
      return true;
    };
    const peer = await connectedPeer(port, { relay });
    peer.video.sendMessageBinary(videoPacket(1));
    await until(() => peer.observed.packets.length === 1);
    const { ignored } = port.counters;
    const changed = Buffer.from(last!);
    changed[20]! ^= 1;
    changed.writeUInt16BE(2, 2);
    for (const datagram of [last!, changed, last!.subarray(0, 20)]) await relay.far.send(datagram, port.port);
    await untilServed();
    expect(port.counters.ignored).toBe(ignored + 3);
    expect(peer.observed.packets).toHaveLength(1);
  });
});

describe('an address', () => {
  it('in use is not given to another session', async () => {
    const [first, second] = [openBare(port), openBare(port)];
    const peer = await socket();
    await peer.send(checkOf(first.session), port.port);
    const response = await peer.next('stun');
    expect(hasIntegrity(response, parseStunMessage(response), first.session.password)).toBe(true);
    await peer.send(checkOf(second.session), port.port);
    await untilServed();
    const [, check, ...rest] = peer.received.filter((datagram) => kindOf(datagram) === 'stun');
    // Only a peer of the second session can respond to this check.
    expect(parseStunMessage(check!)).toMatchObject({ class: 'request', username: `peer:${second.session.ufrag}` });
    expect(rest).toEqual([]);
  });

  it('of a connected session is given to no other session', async () => {
    const relay = await relayTo(port);
    const peer = await connectedPeer(port, { relay });
    const thief = openBare(port);
    const before = relay.far.received.length;
    await relay.far.send(checkOf(thief.session), port.port);
    await untilServed();
    peer.session.send(audioPacket(1));
    await until(() => peer.received.length > 0);
    const stun = relay.far.received.slice(before).filter((datagram) => kindOf(datagram) === 'stun');
    expect(stun.some((datagram) => hasIntegrity(datagram, parseStunMessage(datagram), thief.session.password))).toBe(
      false,
    );
  });

  it('of a connected session receives media only after the peer responded to our check there', async () => {
    const peer = await connectedPeer(port);
    const elsewhere = await socket();
    await elsewhere.send(checkOf(peer.session, peer.remote.ufrag), port.port);
    expect(parseStunMessage(await elsewhere.next('stun')).class).toBe('success');
    const datagram = await elsewhere.next('stun', 1);
    const request = parseStunMessage(datagram);
    expect(request).toMatchObject({ class: 'request', username: `${peer.remote.ufrag}:${peer.session.ufrag}` });
    expect(hasIntegrity(datagram, request, peer.remote.password)).toBe(true);
    const { transactionId } = request;
    const address = { ip: loopback, port: port.port };
    const response = (password: string, id = transactionId) =>
      writeBindingSuccess({ transactionId: id, address, password });
    await elsewhere.send(response('of somebody else'), port.port);
    await elsewhere.send(response(peer.remote.password, randomBytes(12)), port.port);
    const third = await socket();
    await third.send(response(peer.remote.password), port.port);
    await untilServed();
    peer.session.send(audioPacket(1));
    await until(() => peer.received.length === 1);
    await elsewhere.send(response(peer.remote.password), port.port);
    await untilServed();
    peer.session.send(audioPacket(2));
    await elsewhere.next('media');
    expect(peer.received).toHaveLength(1);
    expect(third.received).toEqual([]);
  });

  it('is free again as soon as its session is closed', async () => {
    const [first, second] = [openBare(port), openBare(port)];
    const peer = await socket();
    await peer.send(checkOf(first.session), port.port);
    await peer.next('stun');
    first.session.close();
    await peer.send(checkOf(second.session), port.port);
    const response = await peer.next('stun', 1);
    expect(hasIntegrity(response, parseStunMessage(response), second.session.password)).toBe(true);
  });

  it('is given to another session after the previous one has ended, although it is not closed', async () => {
    const ended = await opensslPeer();
    ended.sendClose();
    await until(() => ended.observed.closed > 0);
    const { session } = openBare(port);
    await ended.relay.far.send(checkOf(session), port.port);
    const response = await ended.relay.far.next('stun', 1);
    expect(hasIntegrity(response, parseStunMessage(response), session.password)).toBe(true);
  });
});

describe('a close alert of the peer', () => {
  it.each(ciphers)('ends its session, by %s', async (cipher) => {
    const peer = await opensslPeer({ cipher });
    expect(peer.session.send(audioPacket(1))).toBe(true);
    peer.sendClose();
    await until(() => peer.observed.closed > 0);
    expect(peer.session.send(audioPacket(2))).toBe(false);
    expect(peer.observed).toMatchObject({ connected: 1, closed: 1 });
    peer.session.close();
    expect(port.sessionCount).toBe(0);
  });
});

describe('packets of one turn', () => {
  const count = 90;

  it('are sent with fewer system calls than packets, and arrive in order', async () => {
    const peer = await connectedPeer(port);
    const before = port.counters;
    // Packets of various lengths must arrive unchanged, although the kernel segments them.
    const sent = packets(count, (sequence) => audioPacket(sequence, 20 + ((sequence * 7) % 5)));
    for (const packet of sent) peer.session.send(packet);
    await until(() => peer.received.length >= count);
    expect(peer.received).toEqual(sent);
    const { sent: datagrams, sendCalls } = port.counters;
    expect(datagrams - before.sent).toBe(count);
    expect(sendCalls - before.sendCalls).toBeLessThanOrEqual(3);
  });

  it('are shared by all peers', async () => {
    const peers = await Promise.all([connectedPeer(port), connectedPeer(port), connectedPeer(port)]);
    const before = port.counters.sendCalls;
    const sent = packets(10, audioPacket);
    for (const packet of sent) for (const { session } of peers) session.send(packet);
    for (const { received } of peers) await until(() => received.length >= sent.length);
    for (const { received } of peers) expect(received).toEqual(sent);
    expect(port.counters.sendCalls - before).toBe(1);
  });

  it('are sent before a close of the same turn', async () => {
    const peer = await connectedPeer(port);
    const sent = packets(10, audioPacket);
    for (const packet of sent) peer.session.send(packet);
    peer.session.close();
    await until(() => peer.received.length >= sent.length);
    expect(peer.received).toEqual(sent);
  });

  it('are refused when longer than any path allows', async () => {
    const { session } = await connectedPeer(port);
    expect(session.send(audioPacket(1, 1500 - 12))).toBe(true);
    expect(session.send(audioPacket(2, 1501 - 12))).toBe(false);
    expect(session.send(Buffer.alloc(0))).toBe(false);
  });
});

const hasIpv6 = Object.values(networkInterfaces()).some((list) => list?.some(({ address }) => address === '::1'));

describe.skipIf(!hasIpv6)(hasIpv6 ? 'IPv6' : 'IPv6 (skipped: this machine has none)', () => {
  it('carries media in both directions', async () => {
    const peer = await connectedPeer(openPort('::1'), { host: '::1' });
    peer.video.sendMessageBinary(videoPacket(1));
    peer.session.send(audioPacket(1));
    await until(() => peer.observed.packets.length > 0 && peer.received.length > 0);
    expect([peer.observed.packets[0], peer.received[0]]).toEqual([videoPacket(1), audioPacket(1)]);
  });

  it('shares the port with IPv4 when no address is set', async () => {
    const shared = openPort('');
    const { session } = openBare(shared);
    for (const host of ['::1', loopback]) {
      const peer = await socket(host);
      await peer.send(checkOf(session), shared.port);
      const { mappedAddress } = parseStunMessage(await peer.next('stun'));
      expect(mappedAddress).toEqual({ ip: host, port: peer.port });
    }
  });
});

describe('a session', () => {
  it('whose handler throws does not stop the packets of other sessions', async () => {
    const peer = await connectedPeer(port);
    const bug = new Error('planted');
    const other = openBare(port, true);
    peer.observed.packets.push = () => {
      throw bug;
    };
    peer.video.sendMessageBinary(videoPacket(1));
    await until(() => faults.length > 0);
    expect(faults.splice(0)).toEqual([bug]);
    const asker = await socket();
    await asker.send(checkOf(other.session), port.port);
    await asker.next('stun');
  });
});
