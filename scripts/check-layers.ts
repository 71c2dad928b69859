// Checks every module of the product against the layer rules, and all modules of the checkout for circular imports. Run: node
// scripts/check-layers.ts
import { fileURLToPath } from 'node:url';
import { findCircles } from './import-circles.ts';
import { type LayerRule, layerRules } from './layer-rules.ts';
import { lineOf, readModules, type SourceModule } from './source-modules.ts';

export interface Violation {
  readonly rule: string;
  /** `path:line`. */
  readonly place: string;
  readonly what: string;
}

const testCode = /\.test\.tsx?$|\/testing\/|\/test\//;

/** All violations of the rules in these modules. Tests may import anything. */
export function findViolations(
  modules: readonly SourceModule[],
  rules: readonly LayerRule[] = layerRules,
): Violation[] {
  const judged = modules.filter((module) => !testCode.test(module.path));
  return rules.flatMap((rule) =>
    judged
      .filter((module) => rule.applies.test(module.path) && !rule.except?.test(module.path))
      .flatMap((module) => [...importViolations(rule, module), ...codeViolations(rule, module)]),
  );
}

function importViolations(rule: LayerRule, module: SourceModule): Violation[] {
  return module.imports
    .filter((reference) => rule.forbidsImport?.(reference, module))
    .map(({ specifier, line }) => ({ rule: rule.name, place: `${module.path}:${line}`, what: `imports ${specifier}` }));
}

function codeViolations(rule: LayerRule, module: SourceModule): Violation[] {
  if (!rule.forbidsCode) return [];
  return [...module.code.matchAll(new RegExp(rule.forbidsCode, 'gi'))].map((match) => ({
    rule: rule.name,
    place: `${module.path}:${lineOf(module.code, match.index)}`,
    what: `uses ${match[0]}`,
  }));
}

if (import.meta.main) {
  const checkout = fileURLToPath(new URL('..', import.meta.url));
  const modules = readModules(checkout, ['packages']);
  const imports = modules.flatMap((module) => module.imports);
  const idle = layerRules.filter((rule) => !modules.some((module) => rule.applies.test(module.path)));
  const violations = findViolations(modules);
  const circles = findCircles(readModules(checkout, ['packages', 'scripts', 'bench', 'fuzz', 'e2e', 'examples']));
  for (const { place, rule, what } of violations) console.error(`${place} ${what}\n    rule: ${rule}`);
  for (const rule of idle) console.error(`no module matches the rule: ${rule.name}`);
  for (const circle of circles) console.error(`modules import each other: ${circle.join(' → ')}`);
  console.log(
    `${modules.length} modules, ${imports.length} imports, ${violations.length} violations, ${circles.length} circles`,
  );
  // Finding no modules, or no imports, is also a failure.
  const failed =
    violations.length > 0 || circles.length > 0 || idle.length > 0 || modules.length === 0 || imports.length === 0;
  process.exit(failed ? 1 : 0);
}
