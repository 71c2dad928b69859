// Finds circular imports of values and types. Files of a circle can only be understood together.
import type { SourceModule } from './source-modules.ts';

/** Each circle is a list of module paths, in the order of their imports. */
export function findCircles(modules: readonly SourceModule[]): string[][] {
  const imports = new Map(modules.map((module) => [module.path, importedPaths(module)]));
  const done = new Set<string>();
  const circles: string[][] = [];
  const visit = (path: string, way: readonly string[]): void => {
    const at = way.indexOf(path);
    if (at >= 0) circles.push(way.slice(at));
    if (at >= 0 || done.has(path)) return;
    for (const next of imports.get(path) ?? []) if (imports.has(next)) visit(next, [...way, path]);
    done.add(path);
  };
  for (const path of imports.keys()) visit(path, []);
  return circles;
}

function importedPaths({ imports }: SourceModule): Set<string> {
  return new Set(imports.map(({ specifier, target }) => target ?? pathInPackage(specifier) ?? ''));
}

/** `@srs-stack/media/track.ts` is a file of the package `media`. A name without path means the package's index. */
function pathInPackage(specifier: string): string | undefined {
  const [, name, path = 'index.ts'] = /^@srs-stack\/([a-z]+)(?:\/(.+))?$/.exec(specifier) ?? [];
  return name && `packages/${name}/src/${path}`;
}
