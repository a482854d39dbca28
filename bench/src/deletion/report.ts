import type { Lap } from './asking.js'
import type { Deletion } from './measured-deletion.js'

const found = (name: string, total: string, rate = '') => `${name.padEnd(24)}${total.padStart(12)}   ${rate}`.trimEnd()

function askedLine(name: string, cells: readonly string[]): string {
  return name.padEnd(24) + cells.map((cell, index) => cell.padStart(index < 3 ? 12 : 10)).join('')
}

function lapLine(name: string, { asked, denied, p50_ms, p99_ms, max_ms }: Lap): string {
  return askedLine(name, [...[p50_ms, p99_ms, max_ms].map((ms) => `${ms.toFixed(1)} ms`), String(asked), String(denied)])
}

/** What a deletion took, and what the other tenant noticed, line by line. */
export function reportOf(deletion: Deletion, perSecond: number): readonly string[] {
  const { removed, left, took_s, client_s, engine_s, traffic, conflicts, without, during } = deletion
  const { requests, writeUnits } = traffic
  const each = (count: number) => `${(count / removed).toFixed(2)} an item`
  const each_us = (cpu_s: number) => `${((cpu_s * 1e6) / removed).toFixed(0)} us an item`
  return [
    found('items removed', String(removed), `${(removed / took_s).toFixed(0)} a second`),
    found('time', `${took_s.toFixed(1)} s`),
    found('CPU of the client', `${client_s.toFixed(1)} s`, each_us(client_s)),
    ...(engine_s === undefined ? [] : [found('CPU of the engine', `${engine_s.toFixed(1)} s`, each_us(engine_s))]),
    found('requests', String(requests), each(requests)),
    found('write units', String(writeUnits), `${(writeUnits / took_s).toFixed(0)} a second, ${each(writeUnits)}`),
    ...(conflicts === undefined ? [] : [found('conflicts', String(conflicts))]),
    ...(left === 0 ? [] : [`${left} items of it are left that must not be.`]),
    '',
    askedLine(`another tenant, ${perSecond}/s`, ['p50', 'p99', 'longest', 'asked', 'denied']),
    lapLine('without a deletion', without),
    lapLine('while deleting', during),
  ]
}
