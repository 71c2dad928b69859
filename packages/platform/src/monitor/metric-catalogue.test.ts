// The documentation lists exactly the metrics of the catalogue, and the Grafana dashboard uses no others.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { metricCatalogue } from './metric-catalogue.ts';
import type { MetricDefinition } from './prometheus-text.ts';

const read = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');
const definitions: readonly MetricDefinition[] = Object.values(metricCatalogue);
const names = definitions.map(({ name }) => name);

describe('metric catalogue', () => {
  it.each(definitions)('$name follows the naming rules of Prometheus', ({ name, type, help, labels = [] }) => {
    expect(name).toMatch(/^srs_stack_[a-z_]+$/);
    expect(name.endsWith('_total')).toBe(type === 'counter');
    expect(name).not.toMatch(/_(?:ms|kb|mb|kbps|percent|milliseconds)(?:_|$)/);
    expect(help).toMatch(/^[A-Z0-9].*\.$/);
    for (const label of labels) expect(label).toMatch(/^[a-z]+$/);
  });

  it('is documented in docs/reference/metrics.md, row by row', () => {
    const rows = [
      ...read('docs/reference/metrics.md').matchAll(/^\| `(srs_stack_\w+)` \| (\w+) \| ([^|]*) \| ([^|]+) \|$/gm),
    ];
    const documented = rows.map(([, name, type, labels = '', help = '']) => ({
      name,
      type,
      labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label),
      help: help.trim(),
    }));
    expect(documented).toEqual(
      definitions.map(({ name, type, labels = [], help }) => ({ name, type, labels: [...labels], help })),
    );
  });

  it('has every metric of the Grafana dashboard', () => {
    const dashboard = JSON.parse(read('deploy/grafana/srs-stack.json'));
    const expressions: string[] = [
      ...dashboard.panels.flatMap((panel: { targets: { expr: string }[] }) => panel.targets.map(({ expr }) => expr)),
      ...dashboard.annotations.list.map(({ expr }: { expr: string }) => expr),
      ...dashboard.templating.list.flatMap(({ definition }: { definition?: string }) => definition ?? []),
    ];
    expect(expressions.length).toBeGreaterThan(20);
    for (const expression of expressions) {
      const used = expression.match(/srs_stack_\w+/g) ?? [];
      expect(used.length, expression).toBeGreaterThan(0);
      for (const name of used) expect(names).toContain(name.replace(/_bucket$/, ''));
      const isRate = /\b(?:rate|increase)\(/.test(expression);
      expect(
        used.every((name) => /_(?:total|bucket)$/.test(name)),
        expression,
      ).toBe(isRate);
    }
  });
});
