import { FreeholdError } from '@freehold/table'

/** Text as it was read, or what is wrong with it: a sentence without its subject. */
export type ReadText = { readonly text: string; readonly problem?: undefined } | { readonly problem: string }

const decoder = new TextDecoder('utf-8', { fatal: true })
const partDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const lineFeed = 0x0a

/** A part of a text. Undefined if its bytes are not UTF-8: decoded otherwise, two names would become one. */
export function textOfPart(bytes: Uint8Array): string | undefined {
  try {
    return partDecoder.decode(bytes)
  } catch {
    return undefined
  }
}

/** A line feed is never a part of another character, so each line is text by itself. */
function firstBrokenLine(bytes: Uint8Array): number {
  let line = 1
  for (let at = 0; ; line++) {
    const end = bytes.indexOf(lineFeed, at)
    if (end === -1 || textOfPart(bytes.subarray(at, end)) === undefined) return line
    at = end + 1
  }
}

/** Reads text that somebody else wrote: bodies, files, settings, keys. A byte order mark is ignored; no other byte is dropped or becomes another character. */
export function readText(bytes: Uint8Array): ReadText {
  try {
    return { text: decoder.decode(bytes) }
  } catch {
    return { problem: `is not UTF-8 (line ${firstBrokenLine(bytes)})` }
  }
}

/** The same, or throws `InvalidInput` that says which line of what is not UTF-8. */
export function utf8Text(bytes: Uint8Array, what: string): string {
  const read = readText(bytes)
  if (read.problem === undefined) return read.text
  throw new FreeholdError('InvalidInput', `${what} ${read.problem}.`, { issues: [{ path: [], message: read.problem }] })
}

const mark = [0xef, 0xbb, 0xbf]

/** The bytes of a source in pieces of any size, without a byte order mark. */
export async function* withoutMark(source: AsyncIterable<Uint8Array | string>): AsyncGenerator<Uint8Array, void, void> {
  let head: Uint8Array | undefined = new Uint8Array()
  for await (const piece of source) {
    const bytes: Uint8Array = typeof piece === 'string' ? Buffer.from(piece) : piece
    if (head === undefined) {
      yield bytes
      continue
    }
    head = Buffer.concat([head, bytes])
    if (head.length < mark.length) continue
    yield mark.every((byte, at) => head?.[at] === byte) ? head.subarray(mark.length) : head
    head = undefined
  }
  if (head !== undefined) yield head
}
