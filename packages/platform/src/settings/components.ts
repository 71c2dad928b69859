// Components that the operator switches on and off: protocols of the built-in media server, and kinds of tasks. A change applies
// immediately, survives restarts, and does not affect streams of other components.
import {
  AppError,
  type ComponentName,
  changed,
  componentNames,
  type endpoints,
  protocolComponents,
  type ResponseOf,
  switched,
  taskComponents,
  verbatim,
} from '@srs-stack/contract';
import { z } from 'zod';
import type { Actor } from '../actor.ts';
import type { MediaServer } from '../media-server/media-server.ts';
import type { AuditTrail } from '../store/audit-trail.ts';
import { openSetting } from '../store/setting.ts';
import type { DocumentType, Store } from '../store/store.ts';
import type { FrontFile } from './web-front/front-file.ts';

const offDocument: DocumentType<ComponentName[]> = {
  key: 'components-off',
  schema: z.array(z.enum(componentNames)),
  empty: [],
};

type Answer = ResponseOf<typeof endpoints.queryComponents>;
type Ports = Readonly<Record<'http' | 'rtmp' | 'srt' | 'rtc', number | null>>;

type ComponentListener = (name: ComponentName, enabled: boolean) => Promise<void>;

export interface Components {
  isEnabled(name: ComponentName): boolean;
  query(): Promise<Answer>;
  /** Throws `componentForeign` for components of an external SRS. */
  change(name: ComponentName, enabled: boolean, actor: Actor): Promise<void>;
  /** Adds a listener for every change; if it throws, the change is undone. */
  subscribe(listener: ComponentListener): void;
  /** Writes the switches for the gateway (`front.json`) at the start. */
  apply(): Promise<void>;
}

export interface ComponentsDeps {
  readonly store: Store;
  readonly audit: AuditTrail;
  readonly frontFile: FrontFile;
  readonly engine: 'embedded' | 'srs';
  readonly mediaServer: Pick<MediaServer, 'identify'>;
  readonly boundPorts: () => Promise<Ports | undefined>;
}

const isProtocol = (name: ComponentName) => protocolComponents.some((each) => each === name);

export async function openComponents(deps: ComponentsDeps): Promise<Components> {
  const effect = new ComponentsInEffect(deps);
  const { store, audit } = deps;
  const setting = await openSetting({ store, audit, type: offDocument, apply: (next) => effect.replace(next) });
  effect.begin(setting.current());
  return {
    isEnabled: (name) => effect.isEnabled(name),
    async query() {
      const [ports, identity] = await Promise.all([deps.boundPorts(), deps.mediaServer.identify()]);
      const components = componentNames.map((name) => effect.stateOf(name, ports));
      return { components, mediaServer: { engine: deps.engine, ...identity } };
    },
    async change(name, enabled, actor) {
      if (effect.isForeign(name)) throw new AppError('componentForeign', verbatim(name));
      const next = (list: ComponentName[]) => {
        const others = list.filter((each) => each !== name);
        return enabled ? others : [...others, name];
      };
      await setting.save(next, {
        actor,
        detail: changed('platform.component', { name: changed(`component.${name}`), state: switched(enabled) }),
      });
    },
    subscribe: (listener) => effect.subscribe(listener),
    apply: () => effect.writeFront(),
  };
}

/** The current switches. They are updated before the stored value; listeners are notified. */
class ComponentsInEffect {
  readonly #deps: Pick<ComponentsDeps, 'frontFile' | 'engine'>;
  readonly #listeners: ComponentListener[] = [];
  #off: readonly ComponentName[] = [];

  constructor(deps: Pick<ComponentsDeps, 'frontFile' | 'engine'>) {
    this.#deps = deps;
  }

  /** Sets the stored value at the start without notifying listeners. */
  begin(off: readonly ComponentName[]): void {
    this.#off = off;
  }

  subscribe(listener: ComponentListener): void {
    this.#listeners.push(listener);
  }

  /** True for components of an external SRS, except HLS: SRS includes the HLS settings that this product generates. */
  isForeign(name: ComponentName): boolean {
    return this.#deps.engine === 'srs' && isProtocol(name) && name !== 'hls';
  }

  isEnabled(name: ComponentName): boolean {
    return this.isForeign(name) || !this.#off.includes(name);
  }

  stateOf(name: ComponentName, ports: Ports | undefined): Answer['components'][number] {
    if (this.isForeign(name)) return { name, state: 'foreign', enabled: true };
    const port = portOf(name, ports);
    const isAbsent = ports !== undefined && port === null;
    const enabled = !this.#off.includes(name);
    return { name, state: isAbsent ? 'absent' : enabled ? 'running' : 'off', enabled, ...(port ? { port } : {}) };
  }

  /** Applies the list; undoes it if a listener throws. */
  async replace(next: readonly ComponentName[]): Promise<void> {
    const before = this.#off;
    this.#off = next;
    try {
      await this.writeFront();
      await this.#tell(before);
    } catch (error) {
      this.#off = before;
      await this.writeFront();
      throw error;
    }
  }

  async writeFront(): Promise<void> {
    if (this.#deps.engine === 'embedded') await this.#deps.frontFile.write({ off: this.#off.filter(isProtocol) });
  }

  async #tell(before: readonly ComponentName[]): Promise<void> {
    const changed = componentNames.filter((name) => before.includes(name) !== this.#off.includes(name));
    for (const name of changed) {
      for (const listener of this.#listeners) await listener(name, !this.#off.includes(name));
    }
  }
}

/** Port of a component; null while its listener is off, undefined when it has none. */
function portOf(name: ComponentName, ports: Ports | undefined): number | null | undefined {
  if (taskComponents.some((each) => each === name)) return undefined;
  if (name === 'rtmp' || name === 'srt') return ports?.[name];
  return name === 'webrtc' ? ports?.rtc : ports?.http;
}
