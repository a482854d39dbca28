import type { Entity } from '../design/form.ts'
import { keyPlaceholders } from '../design/reference.ts'
import { ownerOf } from '../design/relations.ts'
import { FreeholdError } from '../errors.ts'
import { tableKey } from '../plan/keys.ts'
import { checkOwn } from '../plan/tenant-scope.ts'
import { ownerKey } from './jobs/enumerate.ts'
import type { Runtime } from './runtime.ts'
import { sendActions } from './send-actions.ts'

/** What says whose mirror it is: the key of its owner, and its tenant. */
function namesOf({ tenantScope }: Runtime, mirror: Entity, owner: Entity): readonly string[] {
  const tenant = tenantScope?.of(mirror).attribute
  return [...new Set([...keyPlaceholders(owner), ...(tenant === undefined ? [] : [tenant])])]
}

const step = 'orphan'

/**
 * Takes a mirror whose owner is not there out of the table: only something that wrote by other means leaves one behind, and nothing else would
 * lead to it. False where its owner is there, or what lies there is not the mirror of that owner. Throws `InvalidInput` for an entity that is no mirror, `Denied` for another tenant's.
 */
export async function removeOrphan(runtime: Runtime, mirror: Entity, item: Readonly<Record<string, unknown>>): Promise<boolean> {
  const owner = ownerOf(mirror)
  if (mirror.form.part.kind !== 'mirror')
    throw new FreeholdError('InvalidInput', `A ${mirror.name} is no mirror of another item.`, { entity: mirror.name, issues: [] })
  checkOwn(runtime.tenantScope, mirror, item)
  const said = Object.fromEntries(namesOf(runtime, mirror, owner).flatMap((name) => (item[name] === undefined ? [] : [[name, item[name]]])))
  const { failed } = await sendActions(runtime, [
    {
      kind: 'check',
      key: ownerKey(owner, { ...item }),
      conditions: [{ is: 'absent', now: runtime.now() }],
      origin: { step, role: 'end', entity: owner.name },
    },
    {
      kind: 'delete',
      key: tableKey(mirror, item),
      conditions: [{ is: 'mine', attributes: said }],
      origin: { step, role: 'mirror', entity: mirror.name },
    },
  ])
  return failed.length === 0
}
