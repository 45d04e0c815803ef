/** A small writer of line charts as SVG: light enough to be read in a pull request. */

const WIDTH = 860;
const LEFT = 64;
const RIGHT = 16;
const PANEL_HEIGHT = 210;
const GAP = 74;
const TOP = 46;

/**
 * Charts over the same minutes, one above the other.
 * @param {{ title: string, unit: string, limit?: { value: number, text: string }, lines: { name: string, color: string, points: [number, number][] }[] }[]} panels
 */
export function svgOf(panels, minutes) {
  const height = TOP + panels.length * (PANEL_HEIGHT + GAP);
  const drawn = panels.map((panel, index) => drawPanel(panel, TOP + index * (PANEL_HEIGHT + GAP), minutes));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="13">`,
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    ...drawn.flat(),
    '</svg>',
    '',
  ].join('\n');
}

function drawPanel({ title, unit, limit, lines }, top, minutes) {
  const most = Math.max(
    limit?.value ?? 0,
    ...lines.flatMap(({ points }) => points.map(([, value]) => value)),
  );
  const step = niceStep(most / 4);
  const ceiling = Math.ceil(most / step) * step;
  const x = (minute) => round(LEFT + ((WIDTH - LEFT - RIGHT) * minute) / minutes);
  const y = (value) => round(top + PANEL_HEIGHT - (PANEL_HEIGHT * value) / ceiling);
  const rows = Array.from({ length: Math.round(ceiling / step) + 1 }, (_, index) => index * step);
  const columns = Array.from({ length: minutes / 10 + 1 }, (_, index) => index * 10);
  return [
    text(LEFT, top - 16, title, 'font-weight="bold" fill="#222222"'),
    ...rows.map((value) => line(LEFT, y(value), WIDTH - RIGHT, y(value), '#e4e4e4')),
    ...rows.map((value) =>
      text(LEFT - 8, y(value) + 4, value.toLocaleString('en'), 'text-anchor="end" fill="#666666"'),
    ),
    ...columns.map((minute) =>
      text(
        x(minute),
        top + PANEL_HEIGHT + 18,
        `${minute} min`,
        `text-anchor="${minute === minutes ? 'end' : 'middle'}" fill="#666666"`,
      ),
    ),
    ...(limit === undefined ? [] : drawLimit(limit, y)),
    ...lines.map(({ points, color }) => {
      const path = points.map(([minute, value]) => `${x(minute)},${y(value)}`).join(' ');
      return `<polyline points="${path}" fill="none" stroke="${color}" stroke-width="2"/>`;
    }),
    ...drawLegend(lines, unit, top + PANEL_HEIGHT + 38),
  ];
}

function drawLimit({ value, text: label }, y) {
  return [
    `${line(LEFT, y(value), WIDTH - RIGHT, y(value), '#222222').slice(0, -2)} stroke-dasharray="5 4"/>`,
    text(WIDTH - RIGHT, y(value) - 5, label, 'text-anchor="end" fill="#222222"'),
  ];
}

function drawLegend(lines, unit, at) {
  let left = LEFT;
  const drawn = lines.flatMap(({ name, color }) => {
    const from = left;
    left += 40 + name.length * 7;
    return [
      `<rect x="${from}" y="${at - 8}" width="18" height="4" fill="${color}"/>`,
      text(from + 24, at, name, 'fill="#222222"'),
    ];
  });
  return [...drawn, text(WIDTH - RIGHT, at, unit, 'text-anchor="end" fill="#666666"')];
}

function line(x1, y1, x2, y2, color) {
  return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="${color}"/>`;
}

function text(x, y, words, attributes) {
  return `<text x="${x}" y="${y}" ${attributes}>${words}</text>`;
}

function niceStep(least) {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least) ?? 10 * power;
}

function round(value) {
  return Math.round(value * 10) / 10;
}
