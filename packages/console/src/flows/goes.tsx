import { Alert, List, Text } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { designClient } from '../app/service.ts'
import { entityOf, labelOf, type ToldDesign, type Values, words } from '../app/told.ts'
import { queriesFrom } from '../items/queries-from.ts'

const page_max = 50
const lists_max = 12

/** The items that are deleted with an item, as far as the design lists them from there: a page of each list is counted. Records of the past stay. */
export function Goes({ design, entity, item }: { readonly design: ToldDesign; readonly entity: string; readonly item: Values }) {
  const { form } = design
  const lists = queriesFrom(design, entity, item)
    .filter(([pattern]) => form.patterns[pattern]?.returns.every((each) => form.entities[each]?.appendOnly !== true) === true)
    .slice(0, lists_max)
  const counts = useQueries({
    queries: lists.map(([pattern, parameters]) => ({
      queryKey: ['count', form.design, pattern, parameters],
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        designClient(form.design).pattern(pattern, parameters, { signal, limit: page_max }),
    })),
  })
  const most = new Map<string, { readonly count: number; readonly isMore: boolean }>()
  for (const { data } of counts) {
    const items = Array.isArray(data?.items) ? (data.items as readonly Values[]) : []
    const all = items.map((item) => form.entities[entityOf(item)]?.owner ?? entityOf(item))
    for (const of of new Set(all)) {
      const count = all.filter((each) => each === of).length
      if (count > (most.get(of)?.count ?? 0)) most.set(of, { count, isMore: data?.cursor !== undefined })
    }
  }
  const told = [...most].filter(([of]) => of !== entity)
  return (
    <Alert color="red" title="This cannot be undone">
      <Text size="sm">
        <bdi className="whole">{labelOf(item) ?? words(entity)}</bdi> goes
        {told.length === 0
          ? counts.some(({ isPending }) => isPending)
            ? ', with what is being counted …'
            : '.'
          : ', with what is only there for it. There are now:'}
      </Text>
      {told.length > 0 && (
        <List size="sm">
          {told.map(([of, { count, isMore }]) => (
            <List.Item key={of}>
              {words(of)}: {count}
              {isMore ? ' or more' : ''}
            </List.Item>
          ))}
        </List>
      )}
    </Alert>
  )
}
