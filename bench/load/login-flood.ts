// `node bench/load/login-flood.ts`: measures logins during an attack. Takes half a minute. For each kind of addresses,
// starts a control plane and sends 20,000 wrong passwords from 10,000 addresses, a hundred simultaneously, while
// operators log in. Prints the longest login time and the number of refused operators.
import { openTestPlatform } from '../../packages/platform/src/testing/test-platform.ts';

const guesses = 20_000;
const addresses = 10_000;
const atOnce = 100;

const floods: Record<string, (index: number) => string> = {
  'IPv4 addresses': (index) => `198.18.${index >> 8}.${index & 255}`,
  'IPv6 /64 of one /48': (index) => `2001:db8:0:${index.toString(16)}::1`,
  'IPv6 /64 of ever-new /48': (index) => `2001:db8:${(index + 1).toString(16)}::1`,
};

for (const [flood, addressAt] of Object.entries(floods)) {
  const platform = await openTestPlatform({ MGMT_PASSWORD: 'correct' });
  const logIn = (password: string, ip: string, headers: Record<string, string> = {}) =>
    platform.call('login', { password }, { 'x-forwarded-for': ip, ...headers });
  const cookie = String((await logIn('correct', '203.0.113.50')).headers['set-cookie']).split(';', 1)[0] ?? '';
  let tries = 0;
  const owners: Record<string, () => Promise<{ status: number }>> = {
    'known address': () => logIn('correct', '203.0.113.50'),
    'known browser at an address of an attacker': () => logIn('correct', addressAt(7), { cookie }),
    'new IPv4 address': () => logIn('correct', `192.0.2.${tries++ % 256}`),
    'new IPv6 address': () => logIn('correct', `2001:db9:${(tries++).toString(16)}::1`),
  };
  const worstMs: Record<string, number> = {};
  let [next, judged, refusedOwners, isOver] = [0, 0, 0, false];

  const attack = async () => {
    while (next < guesses) {
      if ((await logIn('wrong', addressAt(next++ % addresses))).status === 401) judged++;
    }
  };
  const logInAllTheTime = async () => {
    while (!isOver) {
      for (const [owner, call] of Object.entries(owners)) {
        const beganMs = performance.now();
        if ((await call()).status !== 200) refusedOwners++;
        worstMs[owner] = Math.max(worstMs[owner] ?? 0, Math.round(performance.now() - beganMs));
      }
    }
  };

  const owning = logInAllTheTime();
  await Promise.all(Array.from({ length: atOnce }, attack));
  isOver = true;
  await owning;
  await platform.dispose();
  console.log(flood, { guesses, judged, refusedOwners, worstMs });
}
