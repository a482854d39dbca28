import { readFileSync } from 'node:fs'
import { decideRebac, rebac } from '@freehold/designs/rebac'
import { openEngine } from '@freehold/engine'
import { connect } from '@freehold/table'
import { inputOf } from '../own-process.js'
import { emailOf, firstShape } from './growth.js'
import { cpuOf, location, questionOf, questions } from './matrix.js'

// A process of its own that asks on a folder, so that what it holds is of the questions alone.

/** How many people to ask about. */
export interface Asked {
  readonly among: number
}

export interface Told {
  readonly can_us: number
  /** Memory of the process itself, and pages of files that it has mapped: the system takes these back when others need them. */
  readonly own_mb: number
  readonly mapped_mb: number
}

function residentMb(kind: 'RssAnon' | 'RssFile'): number {
  if (process.platform !== 'linux') return Number.NaN
  const [, kb = 'NaN'] = new RegExp(`${kind}:\\s+(\\d+)`).exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return Number(kb) / 1024
}

const { path } = inputOf() as { readonly path: string }
const engine = await openEngine({ path })
const decider = decideRebac(connect(rebac, { engine }).runtime)
let next = 0

async function answer({ among }: Asked): Promise<Told> {
  // Each round asks about others, as far as there are such.
  const ask = (index: number) => {
    next = (next + 7_919) % among
    return decider.can({ user: emailOf(next), location, page: questionOf(index, firstShape).page })
  }
  const asked = Array.from({ length: questions }, (_, index) => index)
  const can_us = await cpuOf(asked, ask, async () => process.cpuUsage())
  return { can_us, own_mb: residentMb('RssAnon'), mapped_mb: residentMb('RssFile') }
}

process.on('message', (asked: Asked) => void answer(asked).then((told) => process.send?.(told)))
process.on('disconnect', () => process.exit(0))
process.send?.({})
