import { sourceOf } from '../../analyse/key-texts.ts'
import { sourceName } from '../../design/attribute.ts'
import type { Entity, KeyTemplates } from '../../design/form.ts'
import { ownerOf } from '../../design/relations.ts'
import type { Template } from '../../key/template.ts'
import { code, codes, lines, listed, prose, table } from './markdown.ts'
import type { Thing } from './thing.ts'

/** The forms of a template. The first is the one without absent values. */
export function templateWords({ alternatives }: Template): string {
  return listed(
    alternatives.map((alternative) => code(sourceOf(alternative))),
    'or',
  )
}

/** Whether an item may lack the attribute: it is optional, or copied from an optional one. */
function mayBeAbsent(entity: Entity, name: string): boolean {
  const { form, attributes } = ownerOf(entity)
  const { presence, source } = attributes[name] ?? {}
  if (presence !== 'copied' || source === undefined) return presence === 'optional'
  const references = form.part.kind === 'edge' ? form.part.edge.ends : form.references
  return references.some(
    ({ attribute, to }) => attribute === source.through && to.attributes[sourceName(source, name, to.name)]?.presence === 'optional',
  )
}

/** The optional attributes that a key needs. */
function neededBy(entity: Entity, { partition, sort }: KeyTemplates): string[] {
  const needed = [partition, sort].flatMap(({ alternatives }) => alternatives.at(-1)?.placeholders ?? [])
  return [...new Set(needed)].filter((name) => mayBeAbsent(entity, name))
}

function roleWords(entity: Entity): string {
  const { kind } = entity.form.part
  if (kind !== 'guard' && kind !== 'mirror') return ''
  const role = kind === 'guard' ? 'uniqueness guard' : 'lookup item'
  return `${role} of ${code(ownerOf(entity).name)}, with ${codes(Object.keys(entity.attributes))}`
}

function rowsOf(entity: Entity): string[][] {
  const { key, indexes, addition } = entity.form
  const sparse = (templates: KeyTemplates) => {
    const needed = neededBy(entity, templates)
    return needed.length === 0 ? '' : `only with ${listed(needed.map(code))}`
  }
  const why = addition === undefined ? '' : `*addition:* ${prose(addition)}`
  const own = [code(entity.name), 'table', templateWords(key.partition), templateWords(key.sort)]
  const rest = Object.entries(indexes).map(([index, templates]) => [
    '',
    index,
    templateWords(templates.partition),
    templateWords(templates.sort),
    sparse(templates),
  ])
  return [[...own, lines([roleWords(entity), sparse(key), why])], ...rest]
}

/** The keys of a group: one row for each of its items in the table and in each index. */
export function keyTable({ items, derivedItems }: Thing): string {
  return table(['item', 'in', 'partition key', 'sort key', 'notes'], [...items, ...derivedItems].flatMap(rowsOf))
}
