import { keyText } from '../plan/keys.ts'
import { prepare, type Step } from '../plan/step.ts'
import { readItems } from './read.ts'
import type { Runtime } from './runtime.ts'

/**
 * A check that also compares the attributes which the item has now. Of an item that another program wrote no version tells a later change. An item that is
 * not there is left to the check.
 */
export async function asRead(runtime: Runtime, check: Step): Promise<Step> {
  const prepared = prepare('check', check, runtime.making())
  if (prepared.verb !== 'check') return check
  const { key } = prepared
  const read = (await readItems(runtime, [key], { consistent: true })).get(keyText(key))
  return read === undefined ? check : { ...check, read }
}
