/** Returns a list of URLs to try the service with. In the sandbox, the URLs have hosts with simulated answers. */
export function createSampleList(isSandbox: boolean): string {
  if (!isSandbox) return ['https://example.com/', 'https://example.org/', 'https://www.iana.org/'].join('\n');
  const shop = [
    '',
    'shoes',
    'shoes/running',
    'shoes/hiking',
    'bags',
    'bags/leather',
    'sale',
    'about',
    'contact',
  ];
  const blog = ['', '2026/spring', '2026/summer', '2025/winter', 'authors/ada', 'tags/leather'];
  const gone = ['', 'old-shop', 'old-shop/boots', 'draft', 'print/1'];
  return [
    ...shop.map((path) => `https://indexed.example/${path}`),
    ...blog.map((path) => `https://blog.example/${path}`),
    ...gone.map((path) => `https://not-indexed.example/${path}`),
  ].join('\n');
}
