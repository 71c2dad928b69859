// Options in the query of a source's address. The product removes these options before it connects to the source.

export interface RunLimits {
  /** Maximum duration of a run, milliseconds. The process is then restarted. */
  readonly longestRunMs?: number;
  readonly fastestSpeed?: number;
}

const durationOption = 'max-stream-duration';
const speedOption = 'abnormal-fast-speed';
const unitMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
};
/** Minimum of `longestRunMs`, milliseconds: a shorter run would send nothing. */
const shortestRunMs = 1_000;

/**
 * Splits an address into the address without these options and the values of the options (`max-stream-duration=15s`,
 * `abnormal-fast-speed=2.5`). Invalid values are ignored.
 */
export function takeRunLimits(address: string): { address: string; limits: RunLimits } {
  const [base = '', ...rest] = address.split('?');
  if (rest.length === 0) return { address, limits: {} };
  const pairs = rest.join('?').split('&');
  const isOurs = (pair: string) => [durationOption, speedOption].includes(pair.split('=', 1)[0] ?? '');
  const textOf = (name: string) => pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
  const kept = pairs.filter((pair) => !isOurs(pair)).join('&');
  const longestRunMs = parseDuration(textOf(durationOption));
  const fastestSpeed = Number(textOf(speedOption));
  return {
    address: kept === '' ? base : `${base}?${kept}`,
    limits: {
      ...(longestRunMs >= shortestRunMs ? { longestRunMs } : {}),
      ...(fastestSpeed > 0 && Number.isFinite(fastestSpeed) ? { fastestSpeed } : {}),
    },
  };
}

/** Parses a duration such as `1h2m3.5s` into milliseconds; 0 for any other text. */
function parseDuration(text: string): number {
  if (!/^(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+$/.test(text)) return 0;
  const parts = text.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g);
  return [...parts].reduce((sum, [, number, unit]) => sum + Number(number) * (unitMs[unit ?? ''] ?? 0), 0);
}
