import { Badge, Group, Paper, Select, Stack, Table, Text } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ScrollTable } from '../app/scroll-table.tsx'
import { designClient, queries } from '../app/service.ts'
import { Failed, Nothing, Waiting } from '../app/states.tsx'
import { ownKey, type ToldDesign, textOf, type Values, words } from '../app/told.ts'
import type { Page } from '../app/use-list.ts'
import { Value } from '../app/value.tsx'
import { isEnd } from '../flows/told-flows.ts'
import { isInherited, isLocked } from './account-management/counting.ts'
import { Doing, MakingWithin, type WithinProps } from './doing.tsx'
import { Called, State } from './item-list.tsx'
import { below, columnsFor, grantIn, leadsTo, listsFrom, ownerOf, pluralOf } from './lists.ts'
import { calledBy, leadQuery } from './named.tsx'
import { keyInAddress, mark } from './question.tsx'

/** The places at which items of this kind lie. */
export const atLevels = (design: ToldDesign, of: string): readonly string[] =>
  (design.people?.places ?? [])
    .map(({ entity }) => entity)
    .filter((place) =>
      (design.form.entities[of]?.references ?? []).some(({ to, when }) => when !== undefined && ownerOf(design, to) === place),
    )

/** What lies at places of several levels by the same key, such as settings. What is granted there has a list of its own. */
export const leveled = (design: ToldDesign): readonly string[] =>
  Object.keys(design.form.entities).filter(
    (of) => design.form.entities[of]?.kind === 'entity' && grantIn(design, of) === undefined && atLevels(design, of).length > 1,
  )

/** One page of each level: nobody looks through more in columns. */
const rows_max = 100

/** The chain of places from the outermost to this one, and on to those that were chosen below it, with what lies at each. */
const levelsQuery = (design: ToldDesign, of: string, entity: string, item: Values, chosen: Readonly<Record<string, string>>) =>
  queryOptions({
    queryKey: ['levels', design.form.design, of, entity, item, chosen],
    queryFn: async ({ signal }) => {
      const places = design.people?.places ?? []
      const at = places.findIndex((place) => place.entity === entity)
      // The client has checked that a query gives a page.
      const pageOf = async (list: ReturnType<typeof below>) =>
        list === undefined
          ? { items: [] }
          : ((await designClient(design.form.design).pattern(list.pattern, list.parameters, {
              signal,
              limit: rows_max,
            })) as unknown as Page)
      let chain = [{ entity, item }]
      for (const above of places.slice(0, at).reverse()) {
        const [first] = chain
        const [lead] = first === undefined ? [] : leadsTo(design, first.entity, first.item, above.entity)
        const found = lead && (await queries.fetchQuery(leadQuery(design, lead)))
        if (!found) break
        chain = [{ entity: above.entity, item: found }, ...chain]
      }
      const choices: { readonly entity: string; readonly options: readonly Values[] }[] = []
      for (const place of places.slice(at + 1)) {
        const last = chain.at(-1)
        const list = last && below(design, last.entity, listsFrom(design, last.entity, last.item, 0))
        if (list === undefined) break
        const { items: options } = await pageOf(list)
        choices.push({ entity: place.entity, options })
        const found = options.find((row) => textOf(row[ownKey(design, place.entity) ?? '']) === chosen[place.entity])
        if (found === undefined) break
        chain.push({ entity: place.entity, item: found })
      }
      const here = chain.filter((level) => atLevels(design, of).includes(level.entity))
      const listed = here.map((level) => listsFrom(design, level.entity, level.item, 0).find((list) => list.of === of))
      const pages = await Promise.all(listed.map(pageOf))
      return { choices, levels: here.map((level, index) => ({ ...level, ...(pages[index] ?? { items: [] }) })) }
    },
  })

/** What an item says: its value, or its words of few and when it ends. */
function Cell({ design, of, row }: { readonly design: ToldDesign; readonly of: string; readonly row: Values | undefined }) {
  if (row === undefined) return <Value value={undefined} />
  const kinds = design.form.entities[of]?.attributes ?? {}
  if (kinds.value !== undefined)
    return (
      <Group gap="xs">
        <Value value={row.value} />
        {isLocked(row) && <Badge variant="default">locked</Badge>}
      </Group>
    )
  const told = Object.keys(kinds).filter((name) => row[name] !== undefined && row[name] !== null)
  return (
    <Group gap="xs">
      {columnsFor(design, of, [row], 3).flatMap((name) =>
        kinds[name]?.kind === 'enum' ? <State key={name} state={textOf(row[name])} /> : [],
      )}
      {told.filter(isEnd).map((name) => (
        <Text key={name} size="sm">
          until <Value value={row[name]} />
        </Text>
      ))}
    </Group>
  )
}

/** What lies at a place and at those above it, each level a column, and what counts at the innermost. */
export function Levels({ design, of, entity, item }: WithinProps) {
  const search = useSearch({ strict: false }) as Readonly<Record<string, string>>
  const navigate = useNavigate()
  const chosen = Object.fromEntries(
    Object.entries(search).flatMap(([name, value]) => (name.startsWith(mark) ? [[name.slice(mark.length), value]] : [])),
  )
  const read = useQuery(levelsQuery(design, of, entity, item, chosen))
  if (read.isPending) return <Waiting of={pluralOf(of)} />
  if (read.isError) return <Failed error={read.error} again={read.refetch} />
  const { levels, choices } = read.data
  const own = ownKey(design, of) ?? ''
  const keys = [...new Set(levels.flatMap(({ items }) => items.map((row) => textOf(row[own]))))].sort()
  const rowAt = ({ items }: Page, key: string) => items.find((row) => textOf(row[own]) === key)
  const innermost = levels.at(-1)
  const choose = (level: string, value: string | null) => {
    const kept = choices
      .slice(
        0,
        choices.findIndex((each) => each.entity === level),
      )
      .map((each) => [mark + each.entity, chosen[each.entity] ?? ''])
    return navigate({
      to: '.',
      search: { ...keyInAddress(search), ...Object.fromEntries(kept), ...(value === null ? {} : { [mark + level]: value }) },
    })
  }
  return (
    <Stack>
      {choices.length > 0 && (
        <Group>
          {choices.map((choice) => (
            <Select
              key={choice.entity}
              label={`As at the ${words(choice.entity).toLowerCase()}`}
              placeholder="none"
              clearable
              searchable
              data={choice.options.map((row) => ({
                value: textOf(row[ownKey(design, choice.entity) ?? '']),
                label: calledBy(design, choice.entity, row) ?? textOf(row[ownKey(design, choice.entity) ?? '']),
              }))}
              value={chosen[choice.entity] ?? null}
              onChange={(value) => choose(choice.entity, value)}
            />
          ))}
        </Group>
      )}
      {keys.length === 0 ? (
        <Nothing title={`No ${pluralOf(of)} here`}>
          {levels.length === 0 ? 'Choose one of the places below.' : 'None lies at these places.'}
        </Nothing>
      ) : (
        <Paper withBorder>
          <ScrollTable caption={pluralOf(of)} minWidth={200 * (levels.length + 2)}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{words(own)}</Table.Th>
                {levels.map((level) => (
                  <Table.Th key={level.entity}>
                    <Text size="xs" c="dimmed">
                      {words(level.entity)}
                    </Text>
                    <Called {...{ design, of: level.entity, row: level.item }} />
                  </Table.Th>
                ))}
                {isInherited(design, of) && <Table.Th>Counts at the {words(innermost?.entity ?? '').toLowerCase()}</Table.Th>}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {keys.map((key) => {
                const set = levels.filter((level) => rowAt(level, key) !== undefined)
                const counts = set.find((level) => isLocked(rowAt(level, key) ?? {})) ?? set.at(-1)
                return (
                  <Table.Tr key={key}>
                    <Table.Td fw={600}>
                      <Value value={key} />
                    </Table.Td>
                    {levels.map((level) => {
                      const row = rowAt(level, key)
                      return (
                        <Table.Td key={level.entity}>
                          <Group gap="xs" justify="space-between" wrap="nowrap">
                            <Cell {...{ design, of, row }} />
                            {row !== undefined && level.entity === entity && <Doing {...{ design, entity: of, item: row }} />}
                          </Group>
                        </Table.Td>
                      )
                    })}
                    {isInherited(design, of) && counts !== undefined && (
                      <Table.Td>
                        <Cell {...{ design, of, row: rowAt(counts, key) }} />
                        {counts !== innermost && (
                          <Text size="xs" c="dimmed">
                            ↑ inherited from the {words(counts.entity).toLowerCase()}
                          </Text>
                        )}
                      </Table.Td>
                    )}
                  </Table.Tr>
                )
              })}
            </Table.Tbody>
          </ScrollTable>
        </Paper>
      )}
      {levels.some(({ cursor }) => cursor !== undefined) && (
        <Text size="sm" c="dimmed">
          A level has more than these {rows_max}.
        </Text>
      )}
      <MakingWithin {...{ design, of, entity, item }} />
    </Stack>
  )
}
