// Three nodes of one cluster on this machine. Nodes, parts of nodes, and Redis are killed and restart at their addresses.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endpoints } from '@srs-stack/contract';
import { startRedis, type TestRedis, testClusterSecret } from '../../../packages/platform/src/testing/redis-server.ts';
import { type Admin, call } from '../api.ts';
import { freePort, portsToReturnTo } from '../free-port.ts';
import { killTree } from '../processes.ts';
import { type Environment, type Product, startProduct } from '../product.ts';
import { until } from '../until.ts';

export const nodeNames = ['a', 'b', 'c'] as const;
export type NodeName = (typeof nodeNames)[number];

/** Target of a kill: a part of a node, a whole node with all its processes, or the store. */
export type Victim = `${'node' | 'gateway' | 'platform'} ${NodeName}` | 'Redis';

const password = 'a password for nodes that die';
/** Downtime of the store, milliseconds. A service manager restarts Redis after a second or two. */
const redisAwayMs = 2_000;

export class NodeCluster {
  readonly redis: TestRedis;
  readonly #environments = new Map<NodeName, Environment>();
  readonly #products = new Map<NodeName, Product>();
  readonly #dead = new Set<NodeName>();
  #bearer = '';

  private constructor(redis: TestRedis) {
    this.redis = redis;
  }

  static async start(): Promise<NodeCluster> {
    const cluster = new NodeCluster(await startRedis());
    await cluster.#start('a');
    await Promise.all([cluster.#start('b'), cluster.#start('c')]);
    ({ bearer: cluster.#bearer } = await call(cluster.product('a'), endpoints.login, { password }));
    await cluster.untilWhole();
    return cluster;
  }

  product(name: NodeName): Product {
    return this.#products.get(name)!;
  }

  get living(): NodeName[] {
    return nodeNames.filter((name) => !this.#dead.has(name));
  }

  console(name: NodeName): Pick<Admin, 'call'> {
    return { call: (endpoint, request) => call(this.product(name), endpoint, request, this.#bearer) };
  }

  /** Kills all victims simultaneously. Resolves when they are dead. Redis and servers restart automatically, nodes by `restore`. */
  async kill(victims: readonly Victim[]): Promise<void> {
    await Promise.all(victims.map((victim) => this.#kill(victim)));
  }

  /** Starts the dead nodes, as a service manager does. Resolves when all nodes know each other. */
  async restore(): Promise<void> {
    const dead = [...this.#dead];
    await Promise.all(dead.map((name) => this.#start(name)));
    await this.untilWhole();
  }

  async untilWhole(): Promise<void> {
    await until('the nodes know each other', async () => {
      const lists = await Promise.all(nodeNames.map((name) => this.mediaServers(name).catch(() => [])));
      return lists.every((each) => each.length === nodeNames.length && each.every(({ isUp }) => isUp));
    });
  }

  async mediaServers(name: NodeName) {
    return (await this.console(name).call(endpoints.queryComponents, {})).mediaServer.servers ?? [];
  }

  async remove(): Promise<void> {
    await Promise.all([...this.#products.values()].map((product) => product.remove()));
    await this.redis.dispose();
  }

  async #start(name: NodeName): Promise<void> {
    const environment = this.#environments.get(name) ?? (await this.#environmentOf(name));
    this.#environments.set(name, environment);
    const { dataDir } = this.#products.get(name) ?? {};
    this.#products.set(name, await startProduct({ ...environment, ...(dataDir && { DATA_DIR: dataDir }) }));
    this.#dead.delete(name);
  }

  async #environmentOf(name: NodeName): Promise<Environment> {
    return {
      ...(await portsToReturnTo()),
      ...{ SRT_LISTEN: String(await freePort()), RTC_LISTEN: String(await freePort()), MGMT_PASSWORD: password },
      ...{ CLUSTER_URL: this.redis.url, CLUSTER_SECRET: testClusterSecret, NODE_NAME: name },
      CLUSTER_LISTEN: `127.0.0.1:${await freePort()}`,
    };
  }

  async #kill(victim: Victim): Promise<void> {
    if (victim === 'Redis') {
      await this.redis.kill();
      setTimeout(() => this.redis.restart().catch(() => undefined), redisAwayMs);
      return;
    }
    const [part, name] = victim.split(' ') as ['node' | 'gateway' | 'platform', NodeName];
    if (part !== 'node') return this.product(name).kill(part);
    this.#dead.add(name);
    await killTree(Number(readFileSync(join(this.product(name).dataDir, 'run/supervisor.pid'), 'utf8')));
  }
}
