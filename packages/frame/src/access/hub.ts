import type { Entity } from '@freehold/table'
import type { Sources } from '../decision/sources.ts'
import type { Hub } from './chain.ts'
import type { Declared, Spec } from './declared.ts'
import { idsIn, type Link, specOf } from './link.ts'
import type { Route } from './route.ts'
import type { Ids, Sort } from './tie.ts'

const none: Hub['links'] = []

const hubName = ({ name }: Route, place: string) => `hub ${name} ${place}`

/** Remembers the nodes above a place, from the nearest to the hub. That is a guess, which the read of the place confirms or refutes. */
export function rememberHub({ names }: Pick<Sources, 'names'>, route: Route, place: string, above: readonly Ids[]): void {
  if (above.length === 0) return
  const text = JSON.stringify(above)
  const name = hubName(route, place)
  if (names.get(name) !== text) names.set(name, text)
}

/** Looks for hubs, as far as items have been read. */
export function hubsOf(
  declared: Declared,
  sources: Pick<Sources, 'names'>,
  placeAt: (place: string) => Link | undefined,
  look: (spec: Spec, entity: Entity, id: Ids, sort: Sort) => Link | undefined,
) {
  /**
   * The hub of a route from a place; undefined if nothing leads there, or that is not known yet.
   * @param hasLinks false if it is enough to know which it is
   */
  return (route: Route, place: string, hasLinks = true): Hub | undefined => {
    let ids: Ids = { [declared.place.id]: place }
    if (route.references.length === 0) return { ids, links: none }
    let node = placeAt(place)
    const guess = sources.names.get(hubName(route, place))
    // This file alone writes it.
    const guessed: readonly Ids[] = guess === undefined ? [] : (JSON.parse(guess) as Ids[])
    const links: (Link | undefined)[] = []
    const above: Ids[] = []
    // So many were told by what was read.
    let known = 0
    for (const [index, { to }] of route.references.entries()) {
      if (node !== undefined) known = above.length + 1
      const next = node === undefined ? guessed[index] : node.result.state === 'found' ? idsIn(to, node.result.item) : undefined
      if (next === undefined) break
      above.push(next)
      ids = next
      const after = route.references[index + 1]
      if (after === undefined && !hasLinks) break
      const spec = specOf(declared, route.references[index] ?? to, to.node, () => Object.values(after?.to.by ?? {}))
      node = look(spec, to.node, next, 'fact')
      links.push(node)
    }
    if (known >= above.length) rememberHub(sources, route, place, above)
    return above.length < route.references.length ? undefined : { ids, links }
  }
}
