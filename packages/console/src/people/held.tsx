import { Code, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useQueries, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { designClient, itemQuery } from '../app/service.ts'
import { Failed, Further, Nothing, Waiting } from '../app/states.tsx'
import { capital, keyOf, ownKey, type ToldDesign, textOf, type Values, words } from '../app/told.ts'
import { useList } from '../app/use-list.ts'
import { Value } from '../app/value.tsx'
import { entityOfField } from '../ask/candidates.ts'
import { Actor } from '../audit/entry.tsx'
import { Taking } from './doing.tsx'
import { type Held, HeldTable } from './held-table.tsx'
import { LedTo } from './item-list.tsx'
import { grantIn, type List, leadsTo, listsFrom, ownerOf, pluralOf, referencesTo } from './lists.ts'
import { Named } from './named.tsx'

/** The roles of a group, which whoever is in it has. */
function GroupRoles({ design, group }: { readonly design: ToldDesign; readonly group: Values }) {
  const entity = design.people?.group ?? ''
  const role = design.people?.role?.entity ?? ''
  const list = listsFrom(design, entity, group, Date.now()).find(({ of }) => referencesTo(design, of, role).length > 0)
  const read = useList(design, list ?? { pattern: '', parameters: {} }, 20, list !== undefined)
  const rows = read.data?.pages.flatMap(({ items }) => items) ?? []
  if (list === undefined || read.isPending) return <Text c="dimmed">–</Text>
  if (read.isError)
    return (
      <Text span size="sm" c="dimmed">
        cannot be read
      </Text>
    )
  if (rows.length === 0)
    return (
      <Text span size="sm" c="dimmed">
        none
      </Text>
    )
  return (
    <Group gap="xs">
      {rows.map((row) => (
        <LedTo key={JSON.stringify(row)} {...{ design, of: list.of, row, to: role }} />
      ))}
      {read.hasNextPage && ' and more'}
    </Group>
  )
}

/** The attribute of a grant that says who gave it. */
const giverForm = /^(created|granted|given|assigned)_?by$/i

/** What a row of a list grants: each thing that it leads to, by name, but for the one at which the list begins. */
function heldOf(design: ToldDesign, list: List, row: Values, at: string): Held {
  const { people, form } = design
  const grant = grantIn(design, list.of)
  const cells: Record<string, ReactNode> = {}
  const add = (entity: string | undefined, title: string) => {
    if (entity !== undefined && entity !== at && referencesTo(design, list.of, entity).length > 0)
      cells[title] = <LedTo {...{ design, of: list.of, row, to: entity }} />
  }
  add(people?.person, people?.person ?? '')
  add(people?.role?.entity, 'role')
  if (grant?.role !== undefined && cells.role === undefined) cells.role = <Value value={row[grant.role]} />
  add(people?.group, 'by group')
  const group = people?.group
  if (group !== undefined && cells['by group'] !== undefined && at === people?.person) {
    const [reference] = referencesTo(design, list.of, group)
    const key = Object.fromEntries(Object.entries(reference?.by ?? {}).map(([theirs, ours]) => [theirs, row[ours]]))
    cells.role ??= <GroupRoles design={design} group={key} />
  }
  const places = people?.places.filter(({ entity }) => entity !== at && leadsTo(design, list.of, row, entity).length > 0) ?? []
  if (places.length > 0)
    cells.where = (
      <Group gap="xs">
        {places.map(({ entity }) => (
          <LedTo key={entity} {...{ design, of: list.of, row, to: entity }} />
        ))}
      </Group>
    )
  const giver = Object.keys(form.entities[ownerOf(design, list.of)]?.attributes ?? {}).find((name) => giverForm.test(name))
  const by = giver === undefined ? undefined : row[giver]
  if (typeof by === 'string') cells['given by'] = <Actor design={design} by={by} />
  const given = Object.entries(form.entities[ownerOf(design, list.of)]?.attributes ?? {}).find(([, { stamp }]) => stamp === 'create')?.[0]
  return {
    key: JSON.stringify(row),
    cells,
    from: (grant?.from === undefined ? undefined : row[grant.from]) ?? (given === undefined ? undefined : row[given]),
    until: grant?.until === undefined ? undefined : row[grant.until],
  }
}

/** A list of grants, twenty at a time: each names what it leads to. */
export function HeldList({
  design,
  list,
  at,
  title,
}: {
  readonly design: ToldDesign
  readonly list: List
  readonly at: string
  readonly title: string
}) {
  const read = useList(design, list, 20)
  const listed = read.data?.pages.flatMap(({ items }) => items) ?? []
  // A lookup item does not say who gave what it stands for, and since when.
  const isLookup = list.returns !== list.of
  const whole = useQueries({
    queries: isLookup ? listed.map((row) => itemQuery(design.form.design, list.of, keyOf(design, list.of, row) ?? {})) : [],
  })
  const rows = listed.map((row, index) => ({ ...row, ...whole[index]?.data }))
  if (read.isPending) return <Waiting of="what is granted" />
  if (read.isError && read.data === undefined) return <Failed error={read.error} again={read.refetch} />
  return (
    <Stack gap="xs">
      <Title order={2} size="h5">
        {title}
      </Title>
      {rows.length === 0 && !read.hasNextPage ? (
        <Text size="sm" c="dimmed">
          None.
        </Text>
      ) : (
        <Paper withBorder>
          <HeldTable
            rows={rows.map((row) => ({ ...heldOf(design, list, row, at), actions: <Taking {...{ design, of: list.of, row }} /> }))}
            caption={title}
          />
        </Paper>
      )}
      <Further list={read} />
    </Stack>
  )
}

interface Giving {
  readonly entity: string
  readonly id: Values
  readonly as?: Values
}
interface Taken {
  readonly grants: readonly {
    readonly place: string
    readonly actions: readonly string[]
    readonly evidence?: Readonly<Record<string, readonly Giving[]>>
  }[]
  readonly reason?: { readonly message: string }
}

/** What a person holds now, where no access pattern lists it: what its declared access gives, with the item that gives each action. */
function HeldNow({ design, id }: { readonly design: ToldDesign; readonly id: string }) {
  const { people, form } = design
  const field = (design.questions.access ?? []).find(({ name }) => entityOfField(design, name) === people?.person)?.name ?? ''
  const taken = useQuery({
    queryKey: ['access', form.design, id],
    // The client has checked its form.
    queryFn: async ({ signal }) =>
      (await designClient(form.design).access({ [field]: id }, { signal, evidence: true })) as unknown as Taken,
  })
  if (taken.isPending) return <Waiting of="what is granted" />
  if (taken.isError) return <Failed error={taken.error} again={taken.refetch} />
  const place = people?.places.at(-1)?.entity ?? ''
  const rows = taken.data.grants.flatMap(({ place: at, evidence = {} }) => {
    const byItem = new Map<string, { readonly giving: Giving; readonly actions: string[] }>()
    for (const [action, chain] of Object.entries(evidence)) {
      const giving = chain.find(({ entity }) => people?.grants.some((grant) => grant.entity === entity))
      if (giving === undefined) continue
      const key = JSON.stringify([giving.entity, giving.id])
      byItem.set(key, { giving, actions: [...(byItem.get(key)?.actions ?? []), action] })
    }
    return [...byItem].map(
      ([
        key,
        {
          giving: { entity, as = {} },
          actions,
        },
      ]): Held => {
        const grant = people?.grants.find((each) => each.entity === entity)
        return {
          key: `${at} ${key}`,
          cells: {
            role: grant?.role === undefined ? words(entity) : <Value value={as[grant.role]} />,
            where: <Named design={design} lead={{ attribute: '', to: place, id: { [ownKey(design, place) ?? '']: at } }} />,
            allows: (
              <Group gap={4}>
                {actions.map((action) => (
                  <Code key={action}>{action}</Code>
                ))}
              </Group>
            ),
          },
          from: grant?.from === undefined ? undefined : as[grant.from],
          until: grant?.until === undefined ? undefined : as[grant.until],
        }
      },
    )
  })
  if (rows.length === 0) return <Nothing title="Nothing is granted now">{taken.data.reason?.message}</Nothing>
  return (
    <Paper withBorder>
      <HeldTable rows={rows} caption="What is held" />
    </Paper>
  )
}

/** Everything that a person holds: by the lists of the design, else by what its declared access gives now. */
export function HeldBy({ design, person }: { readonly design: ToldDesign; readonly person: Values }) {
  const { people } = design
  const entity = people?.person ?? ''
  const lists = listsFrom(design, entity, person, Date.now())
  const held = lists.filter(({ of }, index) => grantIn(design, of) !== undefined && lists.findIndex((each) => each.of === of) === index)
  if (held.length === 0)
    return design.questions.access === undefined ? (
      <Nothing title="The design has no list of what a person holds">Ask, what it may do at a place.</Nothing>
    ) : (
      <HeldNow design={design} id={textOf(person[ownKey(design, entity) ?? ''])} />
    )
  return (
    <Stack>
      {held.map((list) => {
        const to = [people?.role?.entity, people?.group, ...(people?.places ?? []).map((place) => place.entity)]
        const what = to.find((each) => each !== undefined && each !== entity && referencesTo(design, list.of, each).length > 0)
        const title = what === undefined ? words(list.of) : what === people?.role?.entity ? 'Roles' : capital(pluralOf(what))
        return <HeldList key={list.pattern} {...{ design, list, at: entity, title }} />
      })}
    </Stack>
  )
}
