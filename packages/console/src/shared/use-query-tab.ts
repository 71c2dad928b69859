// A tab kept in the URL's query, so that it survives a reload and can be linked.
import { useSearchParams } from 'react-router';

/** `first` is the default when the query names no known tab. Selecting rewrites the query; other parameters stay. */
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
