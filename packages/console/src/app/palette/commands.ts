// The commands of the palette as data, and the search by typed text. Pure.
import type { ReactNode } from 'react';

export const commandGroups = ['streams', 'pages', 'settings', 'actions'] as const;
export type CommandGroup = (typeof commandGroups)[number];

export interface Command {
  id: string;
  group: CommandGroup;
  label: string;
  hint?: string;
  keywords?: string;
  icon: ReactNode;
  keys?: string;
  run: () => unknown;
}

/** Maximum number of displayed commands. */
const maxShown = 40;

/** Commands that contain every typed word, sorted by group. In each group, labels that begin with the first word come first. */
export function matchingCommands(commands: readonly Command[], typed: string): Command[] {
  const words = typed.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const fits = commands.filter((command) => words.every((word) => textOf(command).includes(word)));
  const rank = ({ label }: Command) => (label.toLocaleLowerCase().startsWith(words[0] ?? '') ? 0 : 1);
  const order = ({ group }: Command) => commandGroups.indexOf(group);
  return fits.sort((a, b) => order(a) - order(b) || rank(a) - rank(b)).slice(0, maxShown);
}

function textOf({ label, keywords = '', id }: Command): string {
  return `${label} ${keywords} ${id}`.toLocaleLowerCase();
}
