import type { Attribute, Making } from '../../design/attribute.ts'
import { day_ms } from '../../kind/time.ts'
import { code } from './markdown.ts'

const probe = new Date('2020-02-29T12:00:00.000Z')
const today = probe.toISOString().slice(0, 10)

/** A clock and ids that record which of them a default uses. */
function watched(): { making: Making; asked: Set<keyof Making> } {
  const asked = new Set<keyof Making>()
  const making: Making = {
    get now() {
      asked.add('now')
      return new Date(probe)
    },
    ulid() {
      asked.add('ulid')
      return '00000000000000000000000000'
    },
    uuid() {
      asked.add('uuid')
      return '00000000-0000-0000-0000-000000000000'
    },
  }
  return { making, asked }
}

/** A default made from the time: the time itself, or a number of days from it. */
function timeWords(value: unknown): string {
  const text = String(value)
  if (text === probe.toISOString()) return 'now'
  if (text === today) return 'today'
  const start = text.length === today.length ? Date.parse(today) : probe.getTime()
  const days = (Date.parse(text) - start) / day_ms
  if (!Number.isInteger(days)) return 'from the time'
  const count = `${Math.abs(days)} ${Math.abs(days) === 1 ? 'day' : 'days'}`
  return `${count} ${days < 0 ? 'before' : 'after'} ${start === probe.getTime() ? 'now' : 'today'}`
}

/** The default of an attribute in words. Undefined if it has none. */
export function madeWords({ make, madeOnWrite }: Attribute): string | undefined {
  if (make === undefined) return undefined
  const { making, asked } = watched()
  const value = make(making)
  if (asked.has('ulid')) return 'a new ULID'
  if (asked.has('uuid')) return 'a new UUID'
  if (asked.has('now')) return `${timeWords(value)}${madeOnWrite ? ', at each write' : ''}`
  return code(typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null'))
}
