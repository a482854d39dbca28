import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')

/** Collects all garbage of this process, that of earlier test files, too, before something is measured. */
// The flag makes this a function of every context that is made from now on.
export const collectGarbage = runInNewContext('gc') as () => void
