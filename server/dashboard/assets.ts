import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { RequestHandler } from 'express';
import { notFound } from '../http/errors.ts';

const require = createRequire(import.meta.url);
const own = (name: string) => fileURLToPath(new URL(`./public/${name}`, import.meta.url));

const files = {
  'pico.css': [require.resolve('@picocss/pico/css/pico.min.css'), 'text/css'],
  'htmx.js': [require.resolve('htmx.org/dist/htmx.min.js'), 'text/javascript'],
  'uplot.js': [require.resolve('uplot/dist/uPlot.iife.min.js'), 'text/javascript'],
  'uplot.css': [require.resolve('uplot/dist/uPlot.min.css'), 'text/css'],
  'style.css': [own('style.css'), 'text/css'],
  'guide.css': [own('guide.css'), 'text/css'],
  'print.css': [own('print.css'), 'text/css'],
  'report.css': [own('report.css'), 'text/css'],
  'script.js': [own('script.js'), 'text/javascript'],
  'intake.js': [own('intake.js'), 'text/javascript'],
  'chart.js': [own('chart.js'), 'text/javascript'],
  'passkeys.js': [own('passkeys.js'), 'text/javascript'],
  'icon.svg': [own('icon.svg'), 'image/svg+xml'],
} as const;

type AssetName = keyof typeof files;

// The URL contains a hash of the content. Browsers may therefore cache a file forever.
const assets = new Map(
  Object.entries(files).map(([name, [path, type]]) => {
    const content = readFileSync(path);
    const hash = createHash('sha256').update(content).digest('hex').slice(0, 12);
    const url = `/assets/${hash}/${name}`;
    return [name, { content, type: `${type}; charset=utf-8`, url }] as const;
  }),
);

export function assetUrl(name: AssetName): string {
  return assets.get(name)?.url ?? '';
}

export const sendAsset: RequestHandler = (req, res) => {
  const asset = assets.get(String(req.params.name));
  if (asset?.url !== req.path) throw notFound('This file does not exist.');
  res.set({ 'Content-Type': asset.type, 'Cache-Control': 'public, max-age=31536000, immutable' });
  res.send(asset.content);
};
