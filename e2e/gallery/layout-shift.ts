// Measures how much of a page moves while responses arrive (cumulative layout shift, CLS).
import type { Page } from 'playwright-core';

/** Maximum sum of visible shifts, the limit of "good" in the Core Web Vitals. */
const maxLayoutShift = 0.1;

interface ShiftRecord {
  score: number;
  largest: number;
  moved: string;
}

/** Runs in the browser, before the scripts of the page. */
export function watchLayoutShifts(): void {
  const record: ShiftRecord = { score: 0, largest: 0, moved: '' };
  const name = (node: Node | null) =>
    node instanceof Element
      ? `${node.tagName.toLowerCase()}.${String(node.className).split(' ')[0]}`
      : 'something gone';
  interface Shift extends PerformanceEntry {
    value: number;
    hadRecentInput: boolean;
    sources: readonly { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
  }
  const take = (entries: PerformanceEntryList) => {
    for (const { value, hadRecentInput, sources } of entries as Shift[]) {
      if (hadRecentInput) continue;
      record.score += value;
      if (value <= record.largest) continue;
      record.largest = value;
      record.moved = sources
        .map(
          ({ node, previousRect, currentRect }) =>
            `${name(node)} ${Math.round(previousRect.y)}→${Math.round(currentRect.y)} px`,
        )
        .join(', ');
    }
  };
  const observer = new PerformanceObserver((list) => take(list.getEntries()));
  observer.observe({ type: 'layout-shift', buffered: true });
  Object.assign(window, {
    layoutShifts: () => {
      take(observer.takeRecords());
      return record;
    },
  });
}

/** Problems with layout shifts, as error messages. */
export async function layoutShift(page: Page): Promise<string[]> {
  const { score, moved } = await page.evaluate(() =>
    (window as unknown as { layoutShifts(): ShiftRecord }).layoutShifts(),
  );
  return score > maxLayoutShift ? [`moves while its responses arrive, ${score.toFixed(2)}: ${moved}`] : [];
}
