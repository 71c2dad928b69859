// A new publish secret and everything that used the old one: keys of targets that lead to this server follow it, whoever else used it is
// named. Processes that run go on with what they began with and take the new key at their next start, as encoders do.
import {
  changed,
  demoStreamName,
  type OtherSecretUse,
  type PushTarget,
  type SecretUse,
  type SecretUses,
} from '@srs-stack/contract';
import { streamUrl } from '../callbacks/stream-url.ts';
import { createOneAtATime } from '../concurrency/one-at-a-time.ts';
import { type OwnAddresses, streamPath } from '../network/own-addresses.ts';
import type { AuditTrail } from '../store/audit-trail.ts';
import type { ActiveStreams } from '../streams/active-streams.ts';
import type { PublishSecret } from '../streams/publish-secret.ts';
import { knowsPublishSecret } from '../streams/publish-secret-match.ts';
import { joinAddress } from '../workers/ffmpeg-args/address.ts';
import { type PushAddress, secretPlace, withPublishSecret } from './secret-in-key.ts';

type Change = (address: PushAddress) => PushAddress;

/** What has targets of its own. */
interface Targets {
  targets(): Promise<Readonly<Record<string, PushTarget>>>;
  /** Changes where a target is sent and leaves its process alone. */
  changeAddress(platform: string, change: Change): Promise<void>;
}

export interface PublishSecretChange {
  /** Who uses the secret that counts now. `calledHost`: the name by which the operator reached this server. */
  uses(calledHost: string): Promise<SecretUses>;
  /** Replaces it and answers who used the old one. Throws `settingsChanged` as `PublishSecret.replace` does. */
  replace(request: {
    secret: string;
    ip: string;
    calledHost: string;
    revision: string | undefined;
  }): Promise<SecretUses>;
  /** Lets the keys follow that a stopped process left behind. */
  reconcile(): Promise<void>;
}

export interface PublishSecretChangeDeps {
  readonly publishSecret: PublishSecret;
  readonly activeStreams: Pick<ActiveStreams, 'list'>;
  readonly ownAddresses: OwnAddresses;
  readonly forwards: Targets;
  readonly vlives: Targets;
  readonly transcode: {
    current(): Promise<PushAddress>;
    changeAddress(change: Change): Promise<void>;
  };
  readonly audit: AuditTrail;
}

/** A target with the way to change it. */
interface User extends SecretUse {
  readonly address: PushAddress;
  change(change: Change): Promise<void>;
}

export function createPublishSecretChange(deps: PublishSecretChangeDeps): PublishSecretChange {
  const { publishSecret, activeStreams, ownAddresses, forwards, vlives, transcode, audit } = deps;
  const oneAtATime = createOneAtATime();

  const usersIn = async (kind: 'forward' | 'vlive', room: Targets): Promise<User[]> =>
    Object.values(await room.targets()).map(({ platform, label, server, secret }) => ({
      ...{ kind, name: platform, label, address: { server, secret } },
      change: (change) => room.changeAddress(platform, change),
    }));

  const targets = async (): Promise<User[]> => {
    const { server, secret } = await transcode.current();
    const only: User = {
      kind: 'transcode',
      name: '',
      label: '',
      address: { server, secret },
      change: transcode.changeAddress,
    };
    return [only, ...(await usersIn('forward', forwards)), ...(await usersIn('vlive', vlives))];
  };

  const sort = async (secret: string, calledHost: string) => {
    const follows: User[] = [];
    const others: OtherSecretUse[] = [];
    for (const user of await targets()) {
      const place = secretPlace(user.address, secret);
      if (place === undefined) continue;
      const { kind, name, label } = user;
      const isHere = await ownAddresses.leadsHere(joinAddress(user.address.server, user.address.secret), calledHost);
      if (isHere && place === 'parameter') follows.push(user);
      // A name elsewhere that happens to hold the secret says nothing.
      else if (isHere || place === 'parameter')
        others.push({ kind, name, label, reason: isHere ? 'in-name' : 'elsewhere' });
    }
    return { follows, others };
  };

  /** Encoders that are live with the secret; not what workers of this server publish. */
  const publishers = async (secret: string, own: readonly User[]): Promise<OtherSecretUse[]> => {
    if (publishSecret.current().pubNoAuth) return [];
    const made = new Set(own.map(({ address }) => streamPath(joinAddress(address.server, address.secret))));
    const live = await activeStreams.list();
    return live
      .map(({ vhost = '', app = '', stream = '', param = '' }) => ({
        url: streamUrl({ vhost, app, stream }),
        stream,
        param,
      }))
      .filter(({ url, stream, param }) => knowsPublishSecret(secret, { param, stream }) && !made.has(url))
      .filter(({ stream }) => stream !== demoStreamName)
      .map(({ url }) => ({ kind: 'publisher', name: url, label: '', reason: 'publishing' }));
  };

  const find = async (secret: string, calledHost: string) => {
    const { follows, others } = await sort(secret, calledHost);
    return { follows, others: [...others, ...(await publishers(secret, follows))] };
  };

  /** May be repeated: what follows already has nothing of the old secret. */
  const follow = async (old: string, calledHost: string, ip: string) => {
    const { follows } = await sort(old, calledHost);
    const next = publishSecret.current().publish;
    for (const user of follows) await user.change((address) => withPublishSecret(address, old, next));
    await publishSecret.settle();
    if (follows.length === 0) return;
    const users = follows.map(({ kind, name }) => (name === '' ? kind : `${kind} ${name}`)).join(', ');
    await audit.record('setting-changed', ip, changed('publish.followed', { users }));
  };

  const finishLast = async () => {
    const left = publishSecret.replaced();
    if (left) await follow(left.secret, left.calledHost, '');
  };

  return {
    async uses(calledHost) {
      const { follows, others } = await find(publishSecret.current().publish, calledHost);
      return { follows: follows.map(toUse), others };
    },

    replace: ({ secret, ip, calledHost, revision }) =>
      oneAtATime(async () => {
        await finishLast();
        const old = publishSecret.current().publish;
        const { follows, others } = await find(old, calledHost);
        await publishSecret.replace(secret, ip, { calledHost, revision });
        if (secret === old) return { follows: [], others: [] };
        await follow(old, calledHost, ip);
        return { follows: follows.map(toUse), others };
      }),

    reconcile: () => oneAtATime(finishLast),
  };
}

function toUse({ kind, name, label }: User): SecretUse {
  return { kind, name, label };
}
