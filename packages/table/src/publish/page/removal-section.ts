import type { AnyDesign } from '../../design/design.ts'
import type { OnRemove } from '../../design/form.ts'
import type { Dependant } from '../../design/relations.ts'
import { enumerationWords, knownWords } from './enumeration-words.ts'
import { code, codes, listed, table } from './markdown.ts'
import { itemLink, type Thing, thingsOf } from './thing.ts'

const outcomes: Readonly<Record<OnRemove, string>> = {
  cascade: 'is removed, too',
  refuse: '**refuses**: remove it first',
  keep: 'stays',
}

function dependantWords({ kind, edge, entity, reference, known }: Dependant): string {
  const items = listed((edge?.sides ?? [entity]).map(itemLink))
  if (kind === 'within') return `${items}, within it`
  const cases = Object.entries(known).filter(([name]) => reference?.when[name] !== undefined)
  return `${items} by ${code(reference?.attribute ?? '')}${cases.length === 0 ? '' : ` if ${listed(cases.map(knownWords))}`}`
}

/** The dependants of a group. An edge is removed as a whole, so edges within it are listed for its first item only. */
function dependantsOf({ items }: Thing, { form }: AnyDesign): readonly Dependant[] {
  return items.flatMap((item, index) => form.dependantsOf(item).filter(({ kind }) => index === 0 || kind !== 'within'))
}

function rowsOf(thing: Thing, dependants: readonly Dependant[]): string[][] {
  return dependants.map((dependant, index) => [
    index === 0 ? listed(thing.items.map(itemLink)) : '',
    dependantWords(dependant),
    outcomes[dependant.onRemove],
    dependant.onRemove === 'keep' || dependant.enumeration === undefined ? '' : enumerationWords(dependant.enumeration),
  ])
}

const legend =
  'An item is removed with its uniqueness guards and lookup items, an edge with all of its items. An item that can have dependants is marked first, ' +
  'and grants nothing from then on. A query of the table then finds its dependants, and the item is removed last. If a dependant refuses, the mark ' +
  'is removed again.'

/** The dependants of each entity, and what happens to them when it is removed. */
export function removalSection(design: AnyDesign): string[] {
  const all = thingsOf(design).map((thing) => ({ thing, dependants: dependantsOf(thing, design) }))
  const hanging = all.filter(({ dependants }) => dependants.length > 0)
  const alone = all.flatMap(({ thing, dependants }) => (dependants.length > 0 || thing.items[0]?.form.appendOnly ? [] : thing.items))
  return [
    '## Removal',
    ...(hanging.length === 0
      ? []
      : [
          legend,
          table(
            ['removed', 'dependants', 'then', 'found as'],
            hanging.flatMap(({ thing, dependants }) => rowsOf(thing, dependants)),
          ),
        ]),
    ...(alone.length === 0 ? [] : [`Without dependants: ${codes(alone.map(({ name }) => name))}.`]),
  ]
}
