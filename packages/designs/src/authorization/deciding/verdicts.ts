import { setImmediate } from 'node:timers/promises'
import type { LoadResult, Sources } from '@freehold/frame/decision'
import { invalidInput, parallelMap, type TableKey } from '@freehold/table/runtime'
import { valuesBytesOf } from './question.ts'
import { areRolesForeign, type InTenant, rolesOf, type Situation, situationsOf } from './situation.ts'
import { type AskedAction, type DecidesBy, misfit, roleIdsRead, type Verdict, verdictOf } from './verdict.ts'

/** The records that a situation rests on. */
export const recordsOf = ({ userItem, tenantItem, grant, resource, other }: Situation): readonly LoadResult<unknown>[] =>
  [userItem, tenantItem, grant, resource, other?.userItem, other?.grant].flatMap((each) => each ?? [])

/** Decisions that are made at once. An engine of this process takes the thread for some 30 ms, and one elsewhere gets ten batches side by side. */
const atOnce = 300

/** The same, of questions that tell so much: an engine of this process reads all of it for each. */
export function atOnceFor(asked: Parameters<typeof valuesBytesOf>[0]): number {
  return Math.ceil(atOnce / (1 + Math.floor(valuesBytesOf(asked) / 256)))
}

/** Works on some side by side, then on the next: in between other questions get their turn on the thread. */
export async function inTurns<T, R>(all: readonly T[], some: number, work: (each: T, index: number) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = []
  for (let begin = 0; begin < all.length; begin += some) {
    if (begin > 0) await setImmediate()
    for (const result of await parallelMap(all.slice(begin, begin + some), (each, index) => work(each, begin + index))) results.push(result)
  }
  return results
}

/** An item that is kept, and that the schema refuses. */
export interface Refused {
  readonly entity: string
  readonly key: TableKey
}

/**
 * The verdicts of a batch, in its order. One round trip with warm definitions, three cold or strong.
 * @param of the question about one of them, and the item that is to blame if the schema refuses that one alone
 * @throws InvalidInput if the schema refuses all of them: an empty page would say that nobody may
 */
export async function verdictsOf<T extends InTenant>(
  by: DecidesBy,
  sources: Sources,
  all: readonly T[],
  of: (each: T) => { readonly asked: AskedAction; readonly refused: Refused },
  flaws: LoadResult<unknown>[],
): Promise<readonly Verdict[]> {
  const asked = all.map(of)
  const situations = await situationsOf(
    sources,
    all.map((each, index) => ({ ...each, resource: asked[index]?.asked.resource })),
    by.resources,
  )
  const pairs = situations.flatMap((situation, index) => {
    const one = asked[index]
    return one === undefined ? [] : [{ situation, ...one }]
  })
  const roles = await rolesOf(
    sources,
    pairs.flatMap(({ situation, asked: { resource } }) => roleIdsRead(situation, resource)),
    areRolesForeign(situations),
  )
  for (const each of [...situations.flatMap(recordsOf), ...roles.values()]) flaws.push(each)
  const verdicts = await inTurns(
    pairs,
    Math.min(atOnce, ...asked.slice(0, 1).map((one) => atOnceFor(one.asked))),
    ({ situation, asked: one }) => verdictOf(by, situation, roles, one),
  )
  const decided = verdicts.filter(({ answer }) => answer !== undefined)
  const [problem] = decided.flatMap((verdict) => misfit(verdict) ?? [])
  if (problem !== undefined && decided.every((verdict) => misfit(verdict) !== undefined))
    throw invalidInput('The question', [{ path: [], message: problem }])
  for (const [index, verdict] of verdicts.entries()) {
    const [message, refused] = [misfit(verdict), asked[index]?.refused]
    if (message !== undefined && refused !== undefined)
      flaws.push({ state: 'malformed', entity: refused.entity, key: refused.key, message })
  }
  return verdicts
}
