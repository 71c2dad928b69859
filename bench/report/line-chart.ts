// A line chart as an SVG document that follows the reader's light or dark theme. A legend above the lines names them.

export interface Line {
  readonly name: string;
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

export interface LineChart {
  readonly title: string;
  readonly xTitle: string;
  readonly yTitle: string;
  /** A horizontal reference line, for example at one CPU core. */
  readonly mark?: { readonly y: number; readonly text: string };
  readonly lines: readonly Line[];
}

const size = { width: 460, height: 300 };
const margin = { left: 48, right: 16, top: 52, bottom: 42 };
const wantedTicks = 5;
/** Colours for light and dark themes. The dash patterns also distinguish lines for readers with colour blindness. */
const colours = [
  { light: '#1d63d1', dark: '#6ea8ff', dash: '' },
  { light: '#b4480f', dark: '#ff9d66', dash: '7 4' },
  { light: '#5b6470', dark: '#aeb7c2', dash: '2 4' },
] as const;

/** Round numbers from 0 to at least `most`; the step is 1, 2 or 5 times a power of ten. */
export function ticksUpTo(most: number): number[] {
  const rough = most / wantedTicks;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10) * power;
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const short = (value: number): string => String(Number(value.toFixed(2)));

function style(): string {
  const themed = (theme: 'light' | 'dark'): string =>
    colours.map((colour, index) => `.s${index}{stroke:${colour[theme]}}.t${index}{fill:${colour[theme]}}`).join('');
  return [
    'text{font:12px system-ui,sans-serif;fill:#333}.title{font-weight:600;font-size:14px}.axis{stroke:#d5d9de}.mark{stroke:#888;stroke-dasharray:3 3}',
    `.line{fill:none;stroke-width:2}${themed('light')}`,
    `@media (prefers-color-scheme:dark){text{fill:#d5d9de}.axis{stroke:#3d444d}${themed('dark')}}`,
  ].join('');
}

/** @throws RangeError when there are more lines than colours, or no point at all. */
export function drawLineChart({ title, xTitle, yTitle, mark, lines }: LineChart): string {
  const points = lines.flatMap((line) => line.points);
  if (lines.length > colours.length || points.length === 0) throw new RangeError(`${title}: ${lines.length} lines`);
  const [xTicks, yTicks] = [
    ticksUpTo(Math.max(...points.map(({ x }) => x))),
    ticksUpTo(Math.max(...points.map(({ y }) => y), mark?.y ?? 0)),
  ];
  const [right, bottom] = [size.width - margin.right, size.height - margin.bottom];
  const xOf = (x: number): string => short(margin.left + (x / xTicks.at(-1)!) * (right - margin.left));
  const yOf = (y: number): string => short(bottom - (y / yTicks.at(-1)!) * (bottom - margin.top));
  const level = (y: number, name: string): string =>
    `<line class="${name}" x1="${margin.left}" x2="${right}" y1="${yOf(y)}" y2="${yOf(y)}"/>`;
  const text = (x: number | string, y: number | string, content: string, more = ''): string =>
    `<text x="${x}" y="${y}" ${more}>${escaped(content)}</text>`;
  const drawn = lines.flatMap(({ name, points: own }, index) => {
    const path = own.map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${xOf(x)} ${yOf(y)}`).join('');
    const legend = margin.left + index * 130;
    return [
      `<path class="line s${index}" stroke-dasharray="${colours[index]!.dash}" d="${path}"/>`,
      ...own.map(({ x, y }) => `<circle class="t${index}" r="3" cx="${xOf(x)}" cy="${yOf(y)}"/>`),
      `<line class="line s${index}" stroke-dasharray="${colours[index]!.dash}" x1="${legend}" x2="${legend + 22}" y1="38" y2="38"/>`,
      text(legend + 28, 42, name),
    ];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" width="${size.width}" height="${size.height}" role="img" aria-label="${escaped(title)}">`,
    `<style>${style()}</style>`,
    text(12, 20, title, 'class="title"'),
    ...yTicks.flatMap((y) => [
      level(y, 'axis'),
      text(margin.left - 6, Number(yOf(y)) + 4, short(y), 'text-anchor="end"'),
    ]),
    ...xTicks.map((x) => text(xOf(x), bottom + 16, x.toLocaleString('en'), 'text-anchor="middle"')),
    text((margin.left + right) / 2, size.height - 8, xTitle, 'text-anchor="middle"'),
    text(right, 20, yTitle, 'text-anchor="end"'),
    ...(mark ? [level(mark.y, 'mark'), text(right, Number(yOf(mark.y)) - 4, mark.text, 'text-anchor="end"')] : []),
    ...drawn,
    '</svg>',
    '',
  ].join('\n');
}
