/** Text of ours as HTML, with words in backticks as code, in two stars bold and in one emphasised. */
export function prose(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  // A star within backticks is one.
  return escaped.replaceAll(/`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*`]*)\*/g, (_, code, bold, words) => {
    if (code) return `<code>${code}</code>`;
    return bold ? `<strong>${bold}</strong>` : `<em>${words}</em>`;
  });
}
