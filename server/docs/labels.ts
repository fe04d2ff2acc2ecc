/**
 * A page's tables with the heading of its column at each cell, for narrow windows show no row of headings. Our
 * views write their tables alike, and none stands within another.
 */
export function withLabels(html: string): string {
  return html.replaceAll(/<table>.*?<\/table>/gs, (table) => {
    const labels = [...table.matchAll(/<th scope="col">(.*?)<\/th>/gs)].map(([, heading = '']) =>
      heading.replaceAll(/<[^>]*>/g, '').replaceAll('"', '&quot;'),
    );
    return table.replaceAll(/<tr[ >](?:(?!scope="col").)*?<\/tr>/gs, (row) => {
      const left = labels.values();
      return row.replaceAll(/<t[dh](?=[ >])/g, (cell) => {
        const label = left.next().value;
        return label ? `${cell} data-label="${label}"` : cell;
      });
    });
  });
}
