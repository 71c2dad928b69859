// Cost of a ladder on this machine, shown before the ladder is enabled. Costs are measured with real encodes and cached until this process
// ends.
import {
  type LadderCosts,
  type LadderEncoder,
  type LadderSpeed,
  type LadderStep,
  ladderEncoders,
  ladderPresets,
  ladderSpeeds,
} from '@srs-stack/contract';
import { inBackground } from '@srs-stack/process/in-background.ts';
import type { Log } from '@srs-stack/process/log.ts';
import { type EncodeOrder, EncodeProbes, probeSource, tryEncoder } from '../../workers/encoder-probe.ts';

/** Share of all CPU cores that a ladder may use. Gateway, console and other streams need the rest. */
const machineShare = 0.75;
/** Number of cores for reading, audio and sending, in addition to the video encoders. */
const besideCores = 0.08;
/** Maximum number of cached costs: an operator may try many bitrates. */
const maxKnown = 500;

export interface LadderCostDeps {
  readonly openProbes?: () => Pick<EncodeProbes, 'measure' | 'close'>;
  readonly tryEncoder?: (encoder: LadderEncoder) => Promise<{ ok: true } | { ok: false; why: string }>;
  readonly cores: number;
  readonly log: Log;
}

interface Wanted {
  readonly encoder: LadderEncoder;
  readonly speed: LadderSpeed;
  readonly steps: readonly LadderStep[];
}

export class LadderCostMeter {
  readonly #deps: LadderCostDeps;
  readonly #known = new Map<string, number>();
  #encoders: LadderCosts['encoders'] = [];
  #measuring: Promise<void> | undefined;
  #proposal: LadderCosts['proposal'] = null;
  #probes: Pick<EncodeProbes, 'measure'> | undefined;

  constructor(deps: LadderCostDeps) {
    this.#deps = deps;
  }

  /** Returns known costs. Starts to measure missing costs, one at a time. */
  query(wanted: Wanted): LadderCosts {
    const { encoder, speed, steps } = wanted;
    const orders = steps.flatMap((step) => orderOf(step, encoder, speed) ?? []);
    const isKnown = [undefined, ...orders].every((order) => this.#known.has(keyOf(order)));
    if (!this.#measuring && (!isKnown || this.#proposal === null)) {
      const work = this.#measure(wanted).finally(() => {
        this.#measuring = undefined;
      });
      this.#measuring = work;
      inBackground(work, this.#deps.log, 'CPU costs of the ladder renditions could not be measured');
    }
    return {
      ...{ cores: this.#deps.cores, encoders: [...this.#encoders], encoder, speed },
      isMeasuring: this.#measuring !== undefined,
      sourceHeight: probeSource.height,
      decodeCores: this.#known.get(keyOf(undefined)) ?? 0,
      steps: steps.flatMap(({ height, fps, ...step }) => {
        const order = orderOf({ height, fps, ...step }, encoder, speed);
        const cores = order && this.#known.get(keyOf(order));
        return cores === undefined ? [] : [{ height, fps, cores }];
      }),
      proposal: this.#proposal,
    };
  }

  async settled(): Promise<void> {
    await this.#measuring;
  }

  async #measure({ encoder, speed, steps }: Wanted): Promise<void> {
    const probes = (this.#deps.openProbes ?? (() => new EncodeProbes()))();
    this.#probes = probes;
    try {
      if (this.#encoders.length === 0) this.#encoders = await this.#tryAll();
      const decodeCores = await this.#cost(undefined);
      await this.#costsOf(encoder, speed, steps);
      this.#proposal ??= await this.#propose(ladderPresets, decodeCores);
    } finally {
      this.#probes = undefined;
      await probes.close();
    }
  }

  /** Proposes the best quality that fits the machine. If nothing fits, proposes the fastest speed without the most expensive renditions. */
  async #propose(steps: readonly LadderStep[], decodeCores: number): Promise<LadderCosts['proposal']> {
    const roomCores = this.#deps.cores * machineShare - decodeCores - besideCores;
    const hardware = this.#encoders?.find(({ encoder, isUsable }) => isUsable && encoder !== 'libx264')?.encoder;
    const encoder = hardware ?? 'libx264';
    // Leaves out a rendition with the height of the source: players can use the source itself.
    const below = steps.filter(({ height }) => height < probeSource.height);
    const speeds = hardware
      ? (['veryfast'] as const)
      : ([...ladderSpeeds].reverse() as readonly LadderSpeed[]).slice(2);
    for (const speed of speeds) {
      const costs = await this.#costsOf(encoder, speed, below);
      if (sumOf(costs) <= roomCores) return { encoder, speed, heights: heightsOf(costs) };
    }
    const speed = speeds.at(-1) ?? 'ultrafast';
    const fitting = [...(await this.#costsOf(encoder, speed, below))].sort((a, b) => a.height - b.height);
    while (fitting.length > 1 && sumOf(fitting) > roomCores) fitting.pop();
    return { encoder, speed, heights: heightsOf(fitting) };
  }

  async #costsOf(
    encoder: LadderEncoder,
    speed: LadderSpeed,
    steps: readonly LadderStep[],
  ): Promise<LadderCosts['steps']> {
    const costs: LadderCosts['steps'] = [];
    for (const step of steps) {
      const order = orderOf(step, encoder, speed);
      if (order) costs.push({ height: step.height, fps: step.fps, cores: await this.#cost(order) });
    }
    return costs;
  }

  /** CPU cores for an encode without decoding; without `order`, for decoding. Rounded to two decimals; 0 if the measurement failed. */
  async #cost(order: EncodeOrder | undefined): Promise<number> {
    const key = keyOf(order);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const decode = order ? await this.#cost(undefined) : 0;
    const result = await this.#probes?.measure(order);
    const cores = result?.ok ? Math.round(100 * Math.max(0.01, result.cores - decode)) / 100 : 0;
    if (this.#known.size >= maxKnown) this.#known.clear();
    this.#known.set(key, cores);
    return cores;
  }

  async #tryAll(): Promise<LadderCosts['encoders']> {
    const all: LadderCosts['encoders'] = [];
    for (const encoder of ladderEncoders) {
      const result = await (this.#deps.tryEncoder ?? tryEncoder)(encoder);
      all.push({ encoder, isUsable: result.ok, why: result.ok ? '' : result.why });
    }
    return all;
  }
}

/** Test encode of a rendition. Undefined for a rendition larger than the sample, which cannot be measured. */
function orderOf(step: LadderStep, encoder: LadderEncoder, speed: LadderSpeed): EncodeOrder | undefined {
  const { height, fps, kbps } = step;
  if (height > probeSource.height) return undefined;
  return { encoder, speed, height, kbps, divisor: fps === 0 ? 1 : Math.max(1, Math.ceil(probeSource.fps / fps)) };
}

function keyOf(order: EncodeOrder | undefined): string {
  return JSON.stringify(order ?? 'decode');
}

function sumOf(costs: readonly { cores: number }[]): number {
  return costs.reduce((sum, { cores }) => sum + cores, 0);
}

function heightsOf(costs: readonly { height: number }[]): number[] {
  return costs.map(({ height }) => height).sort((a, b) => b - a);
}
