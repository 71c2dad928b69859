// Assigns the modules that pages load first to one or two chunks instead of dozens.

interface ModuleGraph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

/**
 * Assigns the modules of the app to two chunks: `calls` contains API calls and texts, which other pages use too; `frame` the rest.
 * @param start path of the module that starts the app. It stays separate, because importing it starts the app.
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
 * Chunk of the modules that several pages with a player share.
 * @param starts paths of the modules that these pages load first; they stay separate.
 */
export function playerChunk(starts: readonly string[]): (id: string, graph: ModuleGraph) => string | null {
  let loaded: Set<string> | undefined;
  return (id, graph) => {
    loaded ??= new Set(starts.flatMap((start) => [...importsOf(start, graph)]));
    // Styles stay with their pages.
    return loaded.has(id) && !starts.includes(id) && !id.endsWith('.css') ? 'player' : null;
  };
}

/** Modules that are loaded before the first line of `start` runs. */
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
