import { type DesignModule, modulesWithout, type WithoutErrors } from '@freehold/frame'
import type { Settings } from '../config/settings.ts'
import { invalid } from '../input/invalid.ts'
import { safeText } from '../output/safe-text.ts'
import type { Shell } from '../shell.ts'
import { unknownName } from './unknown-name.ts'

/** The part of a shell that determines the designs and the features that are left out. */
export interface Obeying extends Pick<Shell, 'designs'> {
  readonly settings: Pick<Settings, 'without'>
}

const errors: WithoutErrors = {
  malformed: (word) => {
    const message = `FREEHOLD_WITHOUT has '${safeText(word)}': write DESIGN:FEATURE,FEATURE, with a space before the next design.`
    return invalid(message)
  },
  unknownDesign: (name, known) => unknownName('design in FREEHOLD_WITHOUT named', name, known, 'freehold designs'),
  unknownFeature: (name, design, known) =>
    unknownName(`feature of ${design} in FREEHOLD_WITHOUT named`, name, known, `freehold docs ${design}`),
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
  const all = ofSettings.get(designs) ?? modulesWithout(designs, settings.without ?? [], errors)
  ofSettings.set(designs, all)
  return all
}
