import { createHash } from 'node:crypto'
import type { Attribute } from '@freehold/table'

type Schema = Attribute['schema']
/** Numbers from 0 up to but not including `below`: the same for the same seed. */
type Draw = (below: number) => number

function drawFrom(seed: string): Draw {
  let bytes: number[] = []
  let block = 0
  const byte = () => {
    if (bytes.length === 0) bytes = [...createHash('sha256').update(`${seed}/${block++}`).digest()]
    return bytes.pop() ?? 0
  }
  return (below) => ((byte() << 16) + (byte() << 8) + byte()) % below
}

const picked = (draw: Draw, from: string, length: number) => Array.from({ length }, () => from[draw(from.length)]).join('')
const two = (value: number) => String(value + 1).padStart(2, '0')
const hex = (draw: Draw, length: number) => picked(draw, '0123456789abcdef', length)

/** In the 2090s, so that nothing that ends is over. */
const dayOf = (draw: Draw) => `209${draw(10)}-${two(draw(12))}-${two(draw(28))}`

/** Texts that a reader of keys, addresses or cells could trip over. */
const words = ['Zoë', 'a b', 'day & night', '50% off', "O'Hara", 'x/y?z=1', 'Ünal, Ş.', '"so"', '新しい']

const byKind: Readonly<Record<string, (draw: Draw) => unknown>> = {
  text: (draw) => `${words[draw(words.length)]} ${hex(draw, 8)}`,
  verbatim: (draw) => ` ${words[draw(words.length)]}#\n${hex(draw, 8)} `,
  ulid: (draw) => `0${picked(draw, '0123456789ABCDEFGHJKMNPQRSTVWXYZ', 25)}`,
  uuid: (draw) => [8, 4, 4, 4, 12].map((length) => hex(draw, length)).join('-'),
  'opaque id': (draw) => `id_${draw(10)}.${hex(draw, 10)}-X`,
  email: (draw) => `a+b#${draw(10)}.${hex(draw, 8)}@example.org`,
  phone: (draw) => `+49${picked(draw, '123456789', 11)}`,
  username: (draw) => `name.${hex(draw, 8)}`,
  code: (draw) => `C-${hex(draw, 8).toUpperCase()}`,
  instant: (draw) => `${dayOf(draw)}T${two(draw(22))}:${two(draw(58))}:00.${100 + draw(900)}Z`,
  day: dayOf,
  flag: (draw) => draw(2) === 1,
  number: (draw) => 1 + draw(50),
  map: (draw) => ({ [`part ${draw(10)}`]: [1.5, null, true, { deep: words[draw(words.length)] }] }),
  letters: (draw) => picked(draw, 'abcdefghijklmnop', 12),
  digits: (draw) => picked(draw, '123456789', 8),
  fraction: (draw) => draw(100) / 100,
}

function ofSchema(schema: Schema, kind: string, draw: Draw): unknown {
  // Only Zod's own schemas tell the parts of a list, a record or an enum.
  if ('options' in schema && Array.isArray(schema.options)) return schema.options[draw(schema.options.length)]
  // A list is looked at as a whole before its members are.
  const list = 'out' in schema ? (schema.out as Schema) : schema
  if ('element' in list) return [0, 1].map(() => ofSchema(list.element as Schema, '', draw))
  if ('shape' in schema) {
    const parts = Object.entries(schema.shape as Readonly<Record<string, Schema>>)
    return Object.fromEntries(parts.map(([name, part]) => [name, ofSchema(part, '', draw)]))
  }
  for (const make of [byKind[kind], ...Object.values(byKind)]) {
    const value = make?.(draw)
    if (make !== undefined && schema.safeParse(value).success) return value
  }
  throw new Error(`No candidate fits a ${kind}: add one to any-value.ts.`)
}

/** A valid value of an attribute, as it is stored: the same for the same seed, hardly ever the same for two. */
export function anyValue({ schema, kind }: Attribute, seed: string): unknown {
  return schema.parse(ofSchema(schema, kind.name, drawFrom(seed)))
}
