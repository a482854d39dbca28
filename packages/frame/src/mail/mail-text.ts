const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Text for HTML, in elements and in quoted attributes. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}

/** A part of a mail: a paragraph, or a link that stands alone. */
export type MailPart = string | { readonly label: string; readonly link: string }

/** Text in one line, for a subject or a sentence: values from users must not add lines of their own. */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()

/** The same parts as plain text and as HTML. The HTML escapes all values. */
export function mailText(parts: readonly MailPart[]): { readonly text: string; readonly html: string } {
  const plain = parts.map((part) => (typeof part === 'string' ? oneLine(part) : `${oneLine(part.label)}:\n${part.link}`))
  const marked = parts.map((part) =>
    typeof part === 'string'
      ? `<p>${escaped(oneLine(part))}</p>`
      : `<p><a href="${escaped(part.link)}">${escaped(oneLine(part.label))}</a></p>`,
  )
  return { text: `${plain.join('\n\n')}\n`, html: `<!doctype html>\n<html><body>\n${marked.join('\n')}\n</body></html>\n` }
}
