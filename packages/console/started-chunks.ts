// Names the chunks of what the app starts with: two files instead of dozens. One holds the calls and the texts, which pages of
// their own use too; the other the frame.

interface ModuleGraph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

/** @param start path of the module that starts the app. It stays apart: whoever runs it starts the app. */
export function startedChunks(start: string): (id: string, graph: ModuleGraph) => string | null {
  let started: Set<string> | undefined;
  return (id, graph) => {
    started ??= importsOf(start, graph);
    if (id.includes('node_modules') || !started.has(id)) return null;
    return /\/src\/(api|i18n)\/|\/contract\/src\//.test(id) ? 'calls' : 'frame';
  };
}

/** Everything that is loaded before the first line of `start` runs. */
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
