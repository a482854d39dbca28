import type { Entity } from '../design/form.ts'
import { keyPlaceholders } from '../design/reference.ts'
import { ownerOf } from '../design/relations.ts'
import { FreeholdError } from '../errors.ts'
import { tableKey } from '../plan/keys.ts'
import { checkOwn } from '../plan/tenant-scope.ts'
import { ownerKey } from './jobs/enumerate.ts'
import type { Runtime } from './runtime.ts'
import { sendActions } from './send-actions.ts'

/** The attributes that name the owner of a lookup item: the owner's key, and its tenant. */
function namesOf({ tenantScope }: Runtime, mirror: Entity, owner: Entity): readonly string[] {
  const tenant = tenantScope?.of(mirror).attribute
  return [...new Set([...keyPlaceholders(owner), ...(tenant === undefined ? [] : [tenant])])]
}

const step = 'orphan'

/**
 * Deletes a lookup item without an owner. Only another program leaves one behind, and nothing else leads to it. False if the owner exists,
 * or if the item under the key belongs to another owner. Throws `InvalidInput` if the entity is not a lookup item, `Denied` for another
 * tenant's.
 */
export async function removeOrphan(runtime: Runtime, mirror: Entity, item: Readonly<Record<string, unknown>>): Promise<boolean> {
  const owner = ownerOf(mirror)
  if (mirror.form.part.kind !== 'mirror')
    throw new FreeholdError('InvalidInput', `A ${mirror.name} is not a lookup item (mirror) of another item.`, {
      entity: mirror.name,
      issues: [],
    })
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
      conditions: [{ is: 'owned', attributes: said }],
      origin: { step, role: 'mirror', entity: mirror.name },
    },
  ])
  return failed.length === 0
}
