// A gateway process with injected bugs. A player selects a bug in its query (`?fault=timer`). `CORRUPTION` is the defect that the check of
// the stream table reports.
import { createEngine, type EnginePorts, type SessionInfo } from '@srs-stack/engine';
import { runGateway } from '../src/run-gateway.ts';

const faultOf = ({ param }: SessionInfo) => new URLSearchParams(param.replace(/^\?/, '')).get('fault');

function withBugs(ports: EnginePorts): EnginePorts {
  return {
    ...ports,
    async authorizePlay(session) {
      const fault = faultOf(session);
      if (fault === 'timer') setTimeout(() => failBy('timer'), 0);
      if (fault === 'rejection') void Promise.reject(new Error('planted: rejection'));
      if (fault === 'verdict') failBy('verdict');
      return ports.authorizePlay(session);
    },
    onStop(session) {
      if (faultOf(session) === 'close') failBy('close');
      ports.onStop(session);
    },
  };
}

function failBy(name: string): never {
  throw new Error(`planted: ${name}`);
}

await runGateway((config, ports) => {
  const engine = createEngine(config, withBugs(ports));
  const { CORRUPTION } = process.env;
  return CORRUPTION ? Object.assign(engine, { findCorruption: () => CORRUPTION }) : engine;
});
