// Stores the selected tab in the URL's query, so that reloads keep the tab and links can open it.
import { useSearchParams } from 'react-router';

/** @param first default for a missing or unknown tab. */
export function useQueryTab<Tab extends string>(parameter: string, tabs: readonly Tab[], first: Tab) {
  const [query, setQuery] = useSearchParams();
  const requested = query.get(parameter);
  const tab = tabs.find((known) => known === requested) ?? first;
  const select = (next: string | null, dropped: readonly string[] = []) => {
    if (next === null) return;
    setQuery((before) => {
      const after = new URLSearchParams(before);
      after.set(parameter, next);
      for (const name of dropped) after.delete(name);
      return after;
    });
  };
  return { tab, select };
}
