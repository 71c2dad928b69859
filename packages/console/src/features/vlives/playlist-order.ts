// Order of a playlist. Pure.

/** The list with the entry at `index` moved one position up (-1) or down (+1); unchanged at the ends of the list. */
export function moved<T>(list: readonly T[], index: number, by: -1 | 1): T[] {
  const next = [...list];
  const [entry] = next.splice(index, 1);
  const place = index + by;
  if (entry === undefined || place < 0 || place >= list.length) return [...list];
  next.splice(place, 0, entry);
  return next;
}

/** Whether both lists have the same entries in the same order. */
export function isSameOrder(a: readonly { uuid: string }[], b: readonly { uuid: string }[]): boolean {
  return a.length === b.length && a.every(({ uuid }, index) => uuid === b[index]?.uuid);
}
