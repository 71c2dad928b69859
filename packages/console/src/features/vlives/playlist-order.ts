/** Moves the entry at `index` up (-1) or down (+1). At the ends of the list, nothing changes. */
export function moved<T>(list: readonly T[], index: number, by: -1 | 1): T[] {
  const next = [...list];
  const [entry] = next.splice(index, 1);
  const place = index + by;
  if (entry === undefined || place < 0 || place >= list.length) return [...list];
  next.splice(place, 0, entry);
  return next;
}

/** Whether the entries and their order are equal in both lists. */
export function isSameOrder(a: readonly { uuid: string }[], b: readonly { uuid: string }[]): boolean {
  return a.length === b.length && a.every(({ uuid }, index) => uuid === b[index]?.uuid);
}
