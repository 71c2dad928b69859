export function findInstalledNode(importer: string): string | undefined;
