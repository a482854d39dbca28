import type { DesignModule } from '@freehold/designs'
import { FreeholdError, without } from '@freehold/table'
import type { Settings } from '../config/settings.ts'
import { safeText } from '../output/safe-text.ts'
import type { Shell } from '../shell.ts'
import { unknownName } from './unknown-name.ts'

/** The part of a shell that determines the designs and the features that are left out. */
export interface Obeying extends Pick<Shell, 'designs'> {
  readonly settings: Pick<Settings, 'without'>
}

const part = /^([^:,]+):([^:,]+(?:,[^:,]+)*)$/

function featuresLeftOut(words: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const left = new Map<string, readonly string[]>()
  for (const word of words) {
    const [, design = '', features = ''] = part.exec(word) ?? []
    if (design === '') {
      const message = `FREEHOLD_WITHOUT has '${safeText(word)}': write DESIGN:FEATURE,FEATURE, with a space before the next design.`
      throw new FreeholdError('InvalidInput', message, { issues: [] })
    }
    left.set(design, [...(left.get(design) ?? []), ...features.split(',')])
  }
  return left
}

function reduced(module: DesignModule, left: readonly string[]): DesignModule {
  const { design } = module
  const known = Object.keys(design.features)
  const unknown = left.find((feature) => !known.includes(feature))
  if (unknown !== undefined) throw unknownName(`feature of ${design.name} in FREEHOLD_WITHOUT named`, unknown, known)
  return { ...module, design: without(design, ...left) }
}

function read({ settings: { without: words = [] }, designs }: Obeying): ReadonlyMap<string, DesignModule> {
  const left = featuresLeftOut(words)
  if (left.size === 0) return designs
  const unknown = [...left.keys()].find((name) => !designs.has(name))
  if (unknown !== undefined) throw unknownName('design in FREEHOLD_WITHOUT named', unknown, designs.keys())
  return new Map(
    [...designs].map(([name, module]) => {
      const features = left.get(name)
      return [name, features === undefined ? module : reduced(module, features)]
    }),
  )
}

/** Read once for each command, so that a design is always the same object. */
const known = new WeakMap<Obeying['settings'], Map<Obeying['designs'], ReadonlyMap<string, DesignModule>>>()

/**
 * The designs by name, without the features in `FREEHOLD_WITHOUT`. This is a variable and not an option, since all commands must use the
 * same design: otherwise one would report the items of another as malformed.
 * @throws UnknownName for an unknown design or feature, InvalidInput for text that is not of the form `design:feature,feature`
 */
export function offered(shell: Obeying): ReadonlyMap<string, DesignModule> {
  const { settings, designs } = shell
  const ofSettings = known.get(settings) ?? new Map()
  known.set(settings, ofSettings)
  const all = ofSettings.get(designs) ?? read(shell)
  ofSettings.set(designs, all)
  return all
}
