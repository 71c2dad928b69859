// CPU use and latency over the number of viewers, for each output: the data of the graphs in docs/explanation/performance.md.
import { isMergeVariant, type Scenario, scaled, windowSeconds } from './scenario.ts';
import {
  flvLoad,
  hlsLoad,
  lowLatencyHlsLoad,
  measureStep,
  type Step,
  srtLoad,
  type ViewerLoad,
  whepLoad,
} from './viewer-steps.ts';

const stepSeconds = 6;

/** The curve ends at the first error: beyond the capacity of the machine, latency and CPU use say nothing about the server. */
function curve(id: string, load: ViewerLoad, counts: readonly number[]): Scenario {
  return {
    id,
    title: `${load.output}: ${counts[0]} to ${counts.at(-1)} viewers of ${load.kbps / 1000} Mbps`,
    table: 'curve',
    isQuick: false,
    isLong: true,
    rounds: 1,
    estimatedSeconds: 12 + counts.length * 16,
    suits: (server) => load.suits(server) && !isMergeVariant(server),
    run: async (run, scale) => {
      await run.startServer();
      await load.publish(run);
      const steps: Step[] = [];
      run.record.tools.curve = { output: load.output, kbps: load.kbps, steps };
      for (const viewers of counts) {
        const step = await measureStep(run, load, scaled(viewers, scale), windowSeconds(stepSeconds, scale));
        if (step.faults > 0) {
          run.record.tools.failed = step;
          break;
        }
        steps.push(step);
      }
      run.record.facts = { viewers: steps.at(-1)?.viewers ?? 0, kbps: load.kbps };
    },
  };
}

export const curveScenarios = [
  curve('curve-flv', flvLoad, [50, 250, 500, 1_000, 1_500, 2_000]),
  curve('curve-whep', whepLoad, [10, 50, 100, 150, 200, 300]),
  curve('curve-srt', srtLoad, [10, 50, 100, 200]),
  curve('curve-hls', hlsLoad, [50, 250, 500, 1_000, 2_000]),
  curve('curve-ll-hls', lowLatencyHlsLoad, [50, 250, 500, 1_000]),
];
