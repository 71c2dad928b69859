// Preloaded with bundles, so that stack traces name the sources. Source maps are read at the first stack trace. Node's own option reads all
// maps at the start, 25 MB per server (docs/decisions/delivery.md).
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Source maps by the bundle's path in stack frames; undefined without a map. */
const maps = new Map<string, SourceMap | undefined>();

Error.prepareStackTrace = (error, frames) =>
  [String(error), ...frames.map((frame) => `    at ${withSource(frame)}`)].join('\n');

function withSource(frame: NodeJS.CallSite): string {
  const text = String(frame);
  const [file, line, column] = [frame.getFileName(), frame.getLineNumber(), frame.getColumnNumber()];
  if (!file?.startsWith('file:') || line === null || column === null) return text;
  const origin = mapOf(file)?.findOrigin(line, column);
  if (!origin || !('fileName' in origin)) return text;
  return text.replace(`${file}:${line}:${column}`, `${origin.fileName}:${origin.lineNumber}:${origin.columnNumber}`);
}

/** Returns the source map of a bundle. Without a map, its stack frames stay unchanged. */
function mapOf(file: string): SourceMap | undefined {
  if (!maps.has(file)) maps.set(file, readMap(`${file}.map`));
  return maps.get(file);
}

function readMap(url: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(fileURLToPath(url), 'utf8')));
  } catch {
    return undefined;
  }
}
