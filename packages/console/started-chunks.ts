// Combines the modules of the first page load into a few chunks, instead of dozens of small files.

interface ModuleGraph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

/**
 * Assigns modules to the chunks `calls` (API calls and texts, shared with other pages) and `frame` (all others).
 * @param start path of the module that starts the app. This module has its own chunk, because importing it starts the app.
 */
export function startedChunks(start: string): (id: string, graph: ModuleGraph) => string | null {
  let started: Set<string> | undefined;
  return (id, graph) => {
    started ??= importsOf(start, graph);
    if (id.includes('node_modules') || !started.has(id)) return null;
    return /\/src\/(api|i18n)\/|\/contract\/src\//.test(id) ? 'calls' : 'frame';
  };
}

/**
 * Chunk of the modules that several player pages share.
 * @param starts paths of the entry modules of these pages, which have their own chunks.
 */
export function playerChunk(starts: readonly string[]): (id: string, graph: ModuleGraph) => string | null {
  let loaded: Set<string> | undefined;
  return (id, graph) => {
    loaded ??= new Set(starts.flatMap((start) => [...importsOf(start, graph)]));
    // Styles are not shared.
    return loaded.has(id) && !starts.includes(id) && !id.endsWith('.css') ? 'player' : null;
  };
}

/** Modules that load before `start` runs. */
function importsOf(start: string, graph: ModuleGraph): Set<string> {
  const found = new Set<string>();
  const add = (id: string) => {
    if (found.has(id)) return;
    found.add(id);
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) add(imported);
  };
  add(start);
  found.delete(start);
  return found;
}
