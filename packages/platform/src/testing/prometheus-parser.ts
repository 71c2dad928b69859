// A strict parser for the Prometheus text format, version 0.0.4. Validates the metrics page.

export interface ParsedFamily {
  readonly type: string;
  readonly help: string;
  readonly samples: { name: string; labels: Record<string, string>; value: number }[];
}

const metricName = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const sampleLine = new RegExp(`^(${metricName})(?:\\{(.*)\\})? (\\S+)( -?\\d+)?$`);
const labelPair = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\\\|\\"|\\n)*)"(,|$)/;
const numberText = /^(?:[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|NaN|[+-]Inf)$/;

/** Families by name. Throws for a line that violates the format. */
export function parsePrometheusText(text: string): Map<string, ParsedFamily> {
  if (text !== '' && !text.endsWith('\n')) throw new Error('the last line does not end with a newline');
  const families = new Map<string, ParsedFamily>();
  const helps = new Map<string, string>();
  const seen = new Set<string>();
  let current = '';
  for (const line of text.split('\n').slice(0, -1)) {
    const refuse = (reason: string) => new Error(`${reason}: ${line}`);
    const [, keyword, named = '', rest = ''] = new RegExp(`^# (HELP|TYPE) (${metricName}) (.*)$`).exec(line) ?? [];
    if (keyword === 'HELP') {
      if (helps.has(named)) throw refuse('second HELP');
      if (/(?<!\\)(?:\\\\)*\\[^\\n]/.test(rest)) throw refuse('unknown escape');
      helps.set(named, rest);
      current = named;
    } else if (keyword === 'TYPE') {
      if (families.has(named)) throw refuse('second TYPE');
      if (!['counter', 'gauge', 'histogram', 'summary', 'untyped'].includes(rest)) throw refuse('unknown type');
      families.set(named, { type: rest, help: helps.get(named) ?? '', samples: [] });
      current = named;
    } else if (!line.startsWith('#')) {
      const [, name = '', pairs, value = ''] = sampleLine.exec(line) ?? [];
      const histogram = name.replace(/_(?:bucket|sum|count)$/, '');
      const familyName = families.get(histogram)?.type === 'histogram' ? histogram : name;
      const family = families.get(familyName);
      if (!family) throw refuse('sample without a preceding TYPE line');
      if (familyName !== current) throw refuse('sample is not next to the other samples of its family');
      if (!numberText.test(value)) throw refuse('not a number');
      const series = `${name}{${pairs ?? ''}}`;
      if (seen.has(series)) throw refuse('a series occurs twice');
      seen.add(series);
      family.samples.push({
        name,
        labels: parseLabels(pairs ?? '', refuse),
        value: Number(value.replace('Inf', 'Infinity')),
      });
    }
  }
  return families;
}

function parseLabels(text: string, refuse: (reason: string) => Error): Record<string, string> {
  const labels: Record<string, string> = {};
  let rest = text;
  while (rest !== '') {
    const [whole, name = '', value = ''] = labelPair.exec(rest) ?? [];
    if (whole === undefined) throw refuse('label not readable');
    if (name in labels) throw refuse('a label occurs twice');
    labels[name] = value.replace(/\\(.)/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped));
    rest = rest.slice(whole.length);
  }
  return labels;
}
