// The first steps that an operator has completed, according to other modules.
import type { CertificateState, FirstSteps } from '@srs-stack/contract';

export interface FirstStepsDeps {
  readonly login: { state(): { init: boolean } };
  readonly counters: { current(): { publish: number; play: number } };
  readonly certificates: { state(): Promise<CertificateState> };
  readonly records: {
    readonly rules: { current(): { all: boolean } };
    files(page: { search: string; offset: number; limit: number }): readonly unknown[];
  };
  readonly forwards: { targets(): Promise<Record<string, { server: string }>> };
}

export function createFirstSteps(deps: FirstStepsDeps): { current(): Promise<FirstSteps> } {
  const { login, counters, certificates, records, forwards } = deps;
  return {
    async current() {
      const [{ certificate }, targets] = await Promise.all([certificates.state(), forwards.targets()]);
      const { publish, play } = counters.current();
      return {
        password: login.state().init,
        publish: publish > 0,
        play: play > 0,
        https: certificate !== null && !certificate.selfSigned && certificate.daysLeft >= 0,
        record: records.rules.current().all || records.files({ search: '', offset: 0, limit: 1 }).length > 0,
        forward: Object.values(targets).some(({ server }) => server !== ''),
      };
    },
  };
}
