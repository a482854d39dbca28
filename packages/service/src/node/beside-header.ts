/**
 * A text as it is written beside a header. Node writes a text together with the headers, in the encoding of the text: characters of a header that are not
 * ASCII would go back as other bytes than they came. Beside bytes they do not.
 */
export function besideHeader(header: string | undefined, text: string): string | Buffer {
  return header === undefined || /^[ -~]*$/.test(header) ? text : Buffer.from(text)
}
