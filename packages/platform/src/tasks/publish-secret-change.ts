// Replaces the publish secret. Updates keys with the old secret in targets that publish to this server, and lists all other uses. Like
// encoders, running processes keep the old secret until their next start.
import {
  changed,
  demoStreamName,
  type OtherSecretUse,
  type PushTarget,
  type SecretUse,
  type SecretUses,
} from '@srs-stack/contract';
import { type Actor, thisServer } from '../actor.ts';
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

interface Targets {
  targets(): Promise<Readonly<Record<string, PushTarget>>>;
  /** Changes the destination of a target. A running process keeps its destination. */
  changeAddress(platform: string, change: Change): Promise<void>;
}

export interface PublishSecretChange {
  /** Uses of the current secret. @param calledHost host name by which the operator reached this server. */
  uses(calledHost: string): Promise<SecretUses>;
  /** Replaces the secret and returns the uses of the old secret. Throws `settingsChanged` like `PublishSecret.replace`. */
  replace(request: {
    secret: string;
    actor: Actor;
    calledHost: string;
    revision: string | undefined;
  }): Promise<SecretUses>;
  /** Completes an update of keys that a stopped process left unfinished. */
  reconcile(): Promise<void>;
}

export interface PublishSecretChangeDeps {
  readonly publishSecret: PublishSecret;
  readonly activeStreams: Pick<ActiveStreams, 'list'>;
  readonly ownAddresses: OwnAddresses;
  readonly cameras: Targets;
  readonly forwards: Targets;
  readonly vlives: Targets;
  readonly transcode: {
    current(): Promise<PushAddress>;
    changeAddress(change: Change): Promise<void>;
  };
  readonly audit: AuditTrail;
}

interface User extends SecretUse {
  readonly address: PushAddress;
  change(change: Change): Promise<void>;
}

export function createPublishSecretChange(deps: PublishSecretChangeDeps): PublishSecretChange {
  return new FollowedSecretChange(deps);
}

class FollowedSecretChange implements PublishSecretChange {
  readonly #deps: PublishSecretChangeDeps;
  readonly #oneAtATime = createOneAtATime();

  constructor(deps: PublishSecretChangeDeps) {
    this.#deps = deps;
  }

  async uses(calledHost: string): Promise<SecretUses> {
    const { follows, others } = await this.#find(this.#deps.publishSecret.current().publish, calledHost);
    return { follows: follows.map(toUse), others };
  }

  replace({
    secret,
    actor,
    calledHost,
    revision,
  }: {
    secret: string;
    actor: Actor;
    calledHost: string;
    revision: string | undefined;
  }): Promise<SecretUses> {
    return this.#oneAtATime(async () => {
      await this.#finishLast();
      const old = this.#deps.publishSecret.current().publish;
      const { follows, others } = await this.#find(old, calledHost);
      await this.#deps.publishSecret.replace(secret, actor, { calledHost, revision });
      if (secret === old) return { follows: [], others: [] };
      await this.#follow(old, calledHost, actor);
      return { follows: follows.map(toUse), others };
    });
  }

  reconcile(): Promise<void> {
    return this.#oneAtATime(() => this.#finishLast());
  }

  async #usersIn(kind: 'camera' | 'forward' | 'vlive', room: Targets): Promise<User[]> {
    return Object.values(await room.targets()).map(({ platform, label, server, secret }) => ({
      ...{ kind, name: platform, label, address: { server, secret } },
      change: (change) => room.changeAddress(platform, change),
    }));
  }

  async #targets(): Promise<User[]> {
    const { server, secret } = await this.#deps.transcode.current();
    const only: User = {
      kind: 'transcode',
      name: '',
      label: '',
      address: { server, secret },
      change: (change) => this.#deps.transcode.changeAddress(change),
    };
    return [
      only,
      ...(await this.#usersIn('camera', this.#deps.cameras)),
      ...(await this.#usersIn('forward', this.#deps.forwards)),
      ...(await this.#usersIn('vlive', this.#deps.vlives)),
    ];
  }

  async #sort(secret: string, calledHost: string) {
    const follows: User[] = [];
    const others: OtherSecretUse[] = [];
    for (const user of await this.#targets()) {
      const place = secretPlace(user.address, secret);
      if (place === undefined) continue;
      const { kind, name, label } = user;
      const isHere = await this.#deps.ownAddresses.leadsHere(
        joinAddress(user.address.server, user.address.secret),
        calledHost,
      );
      if (isHere && place === 'parameter') follows.push(user);
      // A stream name on another server may contain the secret by coincidence.
      else if (isHere || place === 'parameter')
        others.push({ kind, name, label, reason: isHere ? 'in-name' : 'elsewhere' });
    }
    return { follows, others };
  }

  /** Live publishers that use the secret, except the demo stream and streams that `own` publishes. */
  async #publishers(secret: string, own: readonly User[]): Promise<OtherSecretUse[]> {
    if (this.#deps.publishSecret.current().pubNoAuth) return [];
    const made = new Set(own.map(({ address }) => streamPath(joinAddress(address.server, address.secret))));
    const live = await this.#deps.activeStreams.list();
    return live
      .map(({ vhost = '', app = '', stream = '', param = '' }) => ({
        url: streamUrl({ vhost, app, stream }),
        stream,
        param,
      }))
      .filter(({ url, stream, param }) => knowsPublishSecret(secret, { param, stream }) && !made.has(url))
      .filter(({ stream }) => stream !== demoStreamName)
      .map(({ url }) => ({ kind: 'publisher', name: url, label: '', reason: 'publishing' }));
  }

  async #find(secret: string, calledHost: string) {
    const { follows, others } = await this.#sort(secret, calledHost);
    return { follows, others: [...others, ...(await this.#publishers(secret, follows))] };
  }

  /** Updates all keys with the old secret. Idempotent: updated keys no longer contain the old secret. */
  async #follow(old: string, calledHost: string, actor: Actor) {
    const { follows } = await this.#sort(old, calledHost);
    const next = this.#deps.publishSecret.current().publish;
    for (const user of follows) await user.change((address) => withPublishSecret(address, old, next));
    await this.#deps.publishSecret.settle();
    if (follows.length === 0) return;
    const users = follows.map(({ kind, name }) => (name === '' ? kind : `${kind} ${name}`)).join(', ');
    await this.#deps.audit.record('setting-changed', actor, changed('publish.followed', { users }));
  }

  async #finishLast(): Promise<void> {
    const left = this.#deps.publishSecret.replaced();
    if (left) await this.#follow(left.secret, left.calledHost, thisServer);
  }
}

function toUse({ kind, name, label }: User): SecretUse {
  return { kind, name, label };
}
