// Writes metrics in the text format of Prometheus, version 0.0.4. Pure.

export interface MetricDefinition {
  /** `srs_stack_…`, with the base unit if there is one. Only counters end in `_total`. */
  readonly name: string;
  readonly type: 'gauge' | 'counter' | 'histogram';
  /** One sentence for Prometheus and docs/reference/metrics.md. */
  readonly help: string;
  readonly labels?: readonly string[];
}

export interface MetricPoint {
  readonly value: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly part?: '_bucket' | '_sum' | '_count';
}

export interface MetricFamily {
  readonly definition: MetricDefinition;
  readonly points: readonly MetricPoint[];
}

/** Omits metrics without points, because unknown is not zero. */
export function toPrometheusText(families: readonly MetricFamily[]): string {
  return families
    .filter(({ points }) => points.length > 0)
    .map(({ definition, points }) => {
      const { name, type, help } = definition;
      const lines = points.map((point) => `${name}${point.part ?? ''}${labelsOf(point)} ${numberOf(point.value)}\n`);
      return `# HELP ${name} ${escapedHelp(help)}\n# TYPE ${name} ${type}\n${lines.join('')}`;
    })
    .join('');
}

function labelsOf({ labels }: MetricPoint): string {
  const pairs = Object.entries(labels ?? {}).map(([name, value]) => `${name}="${escapedValue(value)}"`);
  return pairs.length > 0 ? `{${pairs.join(',')}}` : '';
}

function numberOf(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  return String(value);
}

function escapedHelp(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

function escapedValue(text: string): string {
  return escapedHelp(text).replaceAll('"', '\\"');
}
