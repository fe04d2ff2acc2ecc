import { readFileSync } from 'node:fs';

interface Changes {
  version: string;
  kind: string;
  lines: string[];
}

/** Returns the entries of the changelog, by version and heading. */
export function changes(): Changes[] {
  const text = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8');
  const [, ...versions] = text.split(/^## /m);
  return versions.flatMap((part) => {
    const [version = '', ...kinds] = part.split(/^### /m);
    return kinds.map((kind) => {
      const [title = '', ...lines] = kind.split(/\n(?:- |\n- )/);
      return {
        version: oneLine(version.split('\n', 1)[0] ?? ''),
        kind: title.trim(),
        lines: lines.map(oneLine),
      };
    });
  });
}

function oneLine(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .trim();
}
