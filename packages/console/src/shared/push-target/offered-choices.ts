// Suggests all options until the operator types, then the matching options. Without a match, the list is empty and hidden.
import type { ComboboxParsedItem, OptionsFilter } from '@mantine/core';

export const offeredChoices: OptionsFilter = ({ options, search }) => {
  const typed = search.trim().toLowerCase();
  if (typed === '' || valuesOf(options).includes(typed)) return options;
  return options.flatMap((option): ComboboxParsedItem[] => {
    if (!('group' in option)) return option.value.toLowerCase().includes(typed) ? [option] : [];
    const items = option.items.filter(({ value }) => value.toLowerCase().includes(typed));
    return items.length > 0 ? [{ ...option, items }] : [];
  });
};

function valuesOf(options: readonly ComboboxParsedItem[]): string[] {
  return options
    .flatMap((option) => ('group' in option ? option.items : [option]))
    .map(({ value }) => value.toLowerCase());
}
