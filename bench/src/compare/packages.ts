import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The packages of one build, as they are typed in this tree. */
export interface Packages {
  readonly table: typeof import('@freehold/table') & typeof import('@freehold/table/runtime')
  readonly designs: Pick<typeof import('@freehold/frame/flow'), 'operator'> &
    Omit<typeof import('@freehold/designs/account-management'), 'open'> &
    Omit<typeof import('@freehold/designs/rebac'), 'open'>
}

/** Loads the build that lies in a tree. Another commit's may lack what the types of this tree say: then an operation fails, and is absent. */
export async function loadPackages(tree: string): Promise<Packages> {
  const load = (name: string, face: string) => import(pathToFileURL(join(tree, 'packages', name, 'dist', `${face}.js`)).href)
  // Builds before the faces of the table, and before a module for each design and the frame, export everything from the root.
  const orNothing = () => ({})
  const [table, runtime, flow, accounts, rebac] = await Promise.all([
    load('table', 'index'),
    load('table', 'runtime').catch(orNothing),
    load('frame', 'flow/index').catch(() => load('designs', 'index')),
    load('designs', 'account-management/index').catch(orNothing),
    load('designs', 'rebac/index').catch(orNothing),
  ])
  return { table: { ...table, ...runtime }, designs: { ...flow, ...accounts, ...rebac } }
}
