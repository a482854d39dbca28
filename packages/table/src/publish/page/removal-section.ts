import type { AnyDesign } from '../../design/design.ts'
import type { OnRemove } from '../../design/form.ts'
import type { Dependant } from '../../design/relations.ts'
import { enumerationWords, knownWords } from './enumeration-words.ts'
import { code, codes, listed, table } from './markdown.ts'
import { itemLink, type Thing, thingsOf } from './thing.ts'

const outcomes: Readonly<Record<OnRemove, string>> = {
  cascade: 'goes too',
  refuse: '**refuses**: it must go first',
  keep: 'stays',
}

function dependantWords({ kind, edge, entity, reference, known }: Dependant): string {
  const items = listed((edge?.sides ?? [entity]).map(itemLink))
  if (kind === 'within') return `${items}, within it`
  const cases = Object.entries(known).filter(([name]) => reference?.when[name] !== undefined)
  return `${items} by ${code(reference?.attribute ?? '')}${cases.length === 0 ? '' : ` where ${listed(cases.map(knownWords))}`}`
}

/** What hangs on a thing. An edge goes as a whole, from whichever item: what lies within it hangs on the first. */
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
  'What is removed takes its guards and mirrors with it, an edge all of its items. Where something can hang on it, it is marked first, and grants ' +
  'nothing from then on; then what hangs on it is found with a query of the table, and it goes last. Where something refuses, the mark is taken off again.'

/** What goes, refuses or stays when something is removed. */
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
            ['removed', 'what hangs on it', 'then', 'found as'],
            hanging.flatMap(({ thing, dependants }) => rowsOf(thing, dependants)),
          ),
        ]),
    ...(alone.length === 0 ? [] : [`Nothing hangs on ${codes(alone.map(({ name }) => name))}.`]),
  ]
}
