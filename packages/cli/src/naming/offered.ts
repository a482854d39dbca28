import { type Offer, offers } from '@freehold/designs'
import { FreeholdError, without } from '@freehold/table'
import type { Environment } from '../environment.ts'
import { safeText } from '../output/safe-text.ts'
import type { Shell } from '../shell.ts'
import { unknownName } from './unknown-name.ts'

/** What says which parts of the designs a deployer leaves out. */
export type Obeying = Pick<Shell, 'env'>

const part = /^([^:,]+):([^:,]+(?:,[^:,]+)*)$/

function featuresLeftOut(text: string): ReadonlyMap<string, readonly string[]> {
  const left = new Map<string, readonly string[]>()
  for (const word of text.split(/\s+/).filter((each) => each !== '')) {
    const [, design = '', features = ''] = part.exec(word) ?? []
    if (design === '') {
      const message = `FREEHOLD_WITHOUT has '${safeText(word)}': write DESIGN:FEATURE,FEATURE, with a space before the next design.`
      throw new FreeholdError('InvalidInput', message, { issues: [] })
    }
    left.set(design, [...(left.get(design) ?? []), ...features.split(',')])
  }
  return left
}

function reduced(offer: Offer, left: readonly string[]): Offer {
  const { design } = offer
  const known = Object.keys(design.features)
  const unknown = left.find((feature) => !known.includes(feature))
  if (unknown !== undefined) throw unknownName(`feature of ${design.name} in FREEHOLD_WITHOUT named`, unknown, known)
  return { ...offer, design: without(design, ...left) }
}

function read({ FREEHOLD_WITHOUT: text = '' }: Environment): ReadonlyMap<string, Offer> {
  const left = featuresLeftOut(text)
  if (left.size === 0) return offers
  const unknown = [...left.keys()].find((name) => !offers.has(name))
  if (unknown !== undefined) throw unknownName('design in FREEHOLD_WITHOUT named', unknown, offers.keys())
  return new Map(
    [...offers].map(([name, offer]) => {
      const features = left.get(name)
      return [name, features === undefined ? offer : reduced(offer, features)]
    }),
  )
}

/** Read once for each environment: a design is the same whenever a command asks for it. */
const known = new WeakMap<Environment, ReadonlyMap<string, Offer>>()

/**
 * The designs by name, without the features that `FREEHOLD_WITHOUT` names. A variable and no option: a table that one command takes for whole and
 * another for less would be told of as malformed.
 * @throws UnknownName for a design or a feature that is not there, InvalidInput for what is not written as `design:feature,feature`
 */
export function offered({ env }: Obeying): ReadonlyMap<string, Offer> {
  const all = known.get(env) ?? read(env)
  known.set(env, all)
  return all
}
