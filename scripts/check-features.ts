// Checks that names agree from the contract to the console. Every endpoint file needs a route file of the same name (or is a setting of
// `setting-routes.ts`). It also needs a feature of this name, or a listed exception. Every feature needs an endpoint file or a listed
// reason. Every call must be used in the console or have a listed reason. Run: node scripts/check-features.ts; `--list` prints the table.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { paths } from '@srs-stack/contract/paths.ts';
import { callsWithoutPage, otherFeatures, otherHomes } from './feature-names.ts';
import { readModules } from './source-modules.ts';

export interface NamesFound {
  /** Endpoint files of the contract, relative to their folder and without extension, e.g. `settings/beian`. */
  readonly endpointFiles: readonly string[];
  /** Route files `…-routes.ts` of the control plane by endpoint file name. `binds`: the endpoint files whose calls a route file binds. */
  readonly routeFiles: readonly { readonly name: string; readonly binds: readonly string[] }[];
  readonly folders: readonly string[];
  readonly calls: readonly string[];
  /** Calls that the console's sources contain as `calls.x`. */
  readonly madeCalls: ReadonlySet<string>;
}

export interface NameExceptions {
  readonly otherHomes: Readonly<Record<string, { readonly folder: string; readonly because: string }>>;
  readonly otherFeatures: Readonly<Record<string, string>>;
  readonly callsWithoutPage: Readonly<Record<string, string>>;
}

/** Console folder of an endpoint file; undefined for a file without a folder. */
export function homeOf(file: string, folders: readonly string[], exceptions: NameExceptions): string | undefined {
  const exception = exceptions.otherHomes[file];
  if (exception) return exception.folder;
  return folders.includes(`features/${file}`) ? `features/${file}` : undefined;
}

/** Returns violations of the rule as error messages. */
export function nameProblems(found: NamesFound, exceptions: NameExceptions): string[] {
  return [
    ...routeProblems(found),
    ...homeProblems(found, exceptions),
    ...featureProblems(found, exceptions),
    ...callProblems(found, exceptions),
  ];
}

function routeProblems({ endpointFiles, routeFiles }: NamesFound): string[] {
  const isNamed = (file: string) => routeFiles.some(({ name }) => name === file);
  return [
    ...endpointFiles
      .filter((file) => !isNamed(file))
      .map((file) => `there is no route file with the name of the endpoint file ${file}`),
    ...routeFiles.flatMap(({ name, binds }) => {
      if (!endpointFiles.includes(name)) return [`there is no endpoint file with the name of the route file ${name}`];
      return binds
        .filter((file) => file !== name)
        .map((file) => `the route file ${name} binds calls of another endpoint file: ${file}`);
    }),
  ];
}

function homeProblems({ endpointFiles, folders }: NamesFound, exceptions: NameExceptions): string[] {
  const isThere = (folder: string) =>
    folder === '' || folders.some((one) => one === folder || one.startsWith(`${folder}/`));
  const problems = endpointFiles.flatMap((file) => {
    const home = homeOf(file, folders, exceptions);
    if (home === undefined)
      return [`there is no console feature with the name of the endpoint file ${file}, and no exception for it`];
    if (!isThere(home))
      return [`the exception for the endpoint file ${file} names the folder ${home}, which does not exist`];
    const isSetting = home.startsWith('features/settings/');
    return isSetting === file.startsWith('settings/')
      ? []
      : [`either both or none of the endpoint file ${file} and its folder ${home} must belong to the settings`];
  });
  const idle = Object.keys(exceptions.otherHomes).filter((file) => !endpointFiles.includes(file));
  return [...problems, ...idle.map((file) => `an exception names the endpoint file ${file}, which does not exist`)];
}

function featureProblems({ endpointFiles, folders }: NamesFound, { otherFeatures }: NameExceptions): string[] {
  const features = featuresOf(folders);
  const nameless = features.filter((name) => !endpointFiles.includes(name) && !(name in otherFeatures));
  const idle = Object.keys(otherFeatures).filter((name) => !features.includes(name));
  return [
    ...nameless.map(
      (name) => `there is no endpoint file with the name of the feature ${name}, and no exception for it`,
    ),
    ...idle.map((name) => `an exception names the feature ${name}, which does not exist`),
  ];
}

/** Names of the folders below `features/`. Settings are one level deeper. */
function featuresOf(folders: readonly string[]): string[] {
  const names = folders.flatMap((folder) => /^features\/((?:settings\/)?[^/]+)/.exec(folder)?.[1] ?? []);
  return [...new Set(names)].filter((name) => name !== 'settings');
}

function callProblems({ calls, madeCalls }: NamesFound, { callsWithoutPage }: NameExceptions): string[] {
  const unmade = calls.filter((name) => !madeCalls.has(name) && !(name in callsWithoutPage));
  const made = Object.keys(callsWithoutPage).filter((name) => madeCalls.has(name));
  const unknown = Object.keys(callsWithoutPage).filter((name) => !calls.includes(name));
  return [
    ...unmade.map((name) => `no page makes the call ${name}, and feature-names.ts gives no reason for it`),
    ...made.map((name) => `the call ${name} has a page; its line in feature-names.ts is out of date`),
    ...unknown.map((name) => `feature-names.ts names the call ${name}, which is not in the contract`),
  ];
}

function readNames(checkout: string): NamesFound {
  const source = 'packages/console/src/';
  const modules = readModules(checkout, [source.slice(0, -1)]).filter(
    ({ path }) => !/\.test\.tsx?$|\/testing[./]/.test(path),
  );
  const [endpointFolder, routeFolder] = ['packages/contract/src/endpoints', 'packages/platform/src/routes'];
  const files = globSync(`${endpointFolder}/**/*.ts`, { cwd: checkout });
  const routes = readModules(checkout, [routeFolder]).filter(({ path }) => path.endsWith('-routes.ts'));
  const endpointFile = /^@srs-stack\/contract\/endpoints\/(.+)\.ts$/;
  const nameOf = (file: string) => file.slice(`${endpointFolder}/`.length, -'.ts'.length);
  const pairs = routes.find(({ path }) => path === `${routeFolder}/setting-routes.ts`)?.code ?? '';
  /** Settings with one query and one update call share a route file. The names of the calls show such settings. */
  const isPair = (file: string) => {
    const query = /query: (\w+), update: \w+ \}/.exec(readFileSync(join(checkout, file), 'utf8'))?.[1];
    return query !== undefined && pairs.includes(`pair('${query}'`);
  };
  return {
    routeFiles: [
      ...routes
        .filter(({ path }) => !path.endsWith('/setting-routes.ts'))
        .map(({ path, imports }) => ({
          name: path.slice(`${routeFolder}/`.length, -'-routes.ts'.length),
          binds: imports.flatMap(({ specifier }) => endpointFile.exec(specifier)?.[1] ?? []),
        })),
      ...files.filter(isPair).map((file) => ({ name: nameOf(file), binds: [nameOf(file)] })),
    ],
    endpointFiles: files.filter((file) => !file.endsWith('.test.ts')).map(nameOf),
    folders: [...new Set(modules.map(({ path }) => dirname(path).slice(source.length)))],
    calls: Object.keys(paths),
    madeCalls: new Set(
      modules.flatMap(({ code }) => [...code.matchAll(/\bcalls\.(\w+)/g)].map(([, name]) => name ?? '')),
    ),
  };
}

if (import.meta.main) {
  const checkout = fileURLToPath(new URL('..', import.meta.url));
  const found = readNames(checkout);
  const exceptions = { otherHomes, otherFeatures, callsWithoutPage };
  const problems = nameProblems(found, exceptions);
  if (process.argv.includes('--list'))
    for (const file of found.endpointFiles) {
      const because = otherHomes[file] ? `  (${otherHomes[file].because})` : '';
      console.log(`${join('endpoints', file)} → ${homeOf(file, found.folders, exceptions) || '-'}${because}`);
    }
  for (const problem of problems) console.error(problem);
  console.log(`${found.endpointFiles.length} endpoint files, ${found.calls.length} calls, ${problems.length} problems`);
  process.exit(problems.length > 0 || found.endpointFiles.length === 0 || found.madeCalls.size === 0 ? 1 : 0);
}
