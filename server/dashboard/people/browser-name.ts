/** What a browser is called, by how it names itself; null when it does not. */
export function browserName(agent: string | null): string | null {
  if (!agent) return null;
  const browser = browsers.find(([mark]) => mark.test(agent))?.[1];
  const system = systems.find(([mark]) => mark.test(agent))?.[1];
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? agent.slice(0, lengthMax).toWellFormed();
}

const lengthMax = 60;

// Each claims to be those below it, too.
const browsers: Array<[mark: RegExp, name: string]> = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|Chromium|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const systems: Array<[mark: RegExp, name: string]> = [
  [/\bAndroid\b/, 'Android'],
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];
