import { Button, Group, Paper, SegmentedControl, Stack, Text, TextInput, Title } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link, Navigate, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { designClient, designQuery, sessionQuery } from '../app/service.ts'
import { Failed, Nothing, Waiting } from '../app/states.tsx'
import { capital, isOpenTo, keyPlaceholders, labelOf, ownKey, type ToldDesign, textOf, type Values, words } from '../app/told.ts'
import { Id } from '../app/value.tsx'
import { fits, searchesFor, standsFor } from '../ask/candidates.ts'
import { Making, useFounding } from './doing.tsx'
import { Called, ItemList } from './item-list.tsx'
import { pluralOf, wholeLists } from './lists.ts'
import { Named } from './named.tsx'

/** What the design can look up by a text: its ids, and each access pattern that takes one text. */
const lookupQuery = (design: ToldDesign, entity: string, typed: string) =>
  queryOptions({
    queryKey: ['lookup', design.form.design, entity, typed],
    queryFn: async ({ signal }): Promise<readonly Values[]> => {
      const client = designClient(design.form.design)
      const [own, ...more] = keyPlaceholders(design, entity)
      const byKey =
        own !== undefined && more.length === 0 && fits(design, [entity], own, typed)
          ? [client.get(entity, { [own]: typed }, { signal })]
          : []
      const searches = searchesFor(design, entity, typed, {}).filter(({ parameters }) => Object.keys(parameters).length > 0)
      const asked = [...byKey, ...searches.map(({ pattern, parameters }) => client.pattern(pattern, parameters, { signal }))]
      const answers = await Promise.allSettled(asked)
      const [failed] = answers.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
      // One that a text does not fit is refused, and the others may still find something.
      if (failed !== undefined && answers.every(({ status }) => status === 'rejected')) throw failed
      const found = answers.flatMap((each) => (each.status === 'fulfilled' && each.value !== undefined ? [each.value] : []))
      const items = found.flatMap((each) => (Array.isArray(each.items) ? (each.items as Values[]) : [each]))
      const key = ownKey(design, entity) ?? ''
      const merged = new Map<string, Values>()
      for (const item of items) merged.set(textOf(item[key]), { ...item, ...merged.get(textOf(item[key])) })
      return [...merged.values()]
    },
  })

function Found({ design, entity, typed }: { readonly design: ToldDesign; readonly entity: string; readonly typed: string }) {
  const found = useQuery(lookupQuery(design, entity, typed))
  if (found.isPending) return <Waiting of="what is found" />
  if (found.isError) return <Failed error={found.error} again={found.refetch} />
  if (found.data.length === 0)
    return <Nothing title={`No ${words(entity).toLowerCase()} is found`}>It is looked up by the whole text: “{typed}”.</Nothing>
  return (
    <Stack gap="xs">
      {found.data.map((row) => (
        <Paper key={textOf(row[ownKey(design, entity) ?? ''])} withBorder p="sm">
          <Group gap="md">
            <Called {...{ design, of: entity, row }} />
            {typeof row.email === 'string' && row.email !== labelOf(row) && (
              <Text size="sm" c="dimmed" className="whole">
                {row.email}
              </Text>
            )}
            <Id id={textOf(row[ownKey(design, entity) ?? ''])} />
          </Group>
        </Paper>
      ))}
    </Stack>
  )
}

/** The texts by which the design can look something up, in words. */
function lookedUpBy(design: ToldDesign, entity: string): string {
  const tells = (name: string) => standsFor(design, name) === entity
  const texts = Object.values(design.form.patterns).flatMap(({ parameters = [], returns }) =>
    parameters.length === 1 && returns.length === 1 && returns.some(tells) ? parameters : [],
  )
  const own = ownKey(design, entity) ?? ''
  const known = texts.filter((each) => each !== own && !/_?ids?$/i.test(each))
  return [...new Set([...known.map((each) => words(each).toLowerCase()), 'id'])].join(' or ')
}

/** Finds items of one kind: by what the design can look up, and in its lists of all of them where it has some. */
function Finder({ design, entity, others }: { readonly design: ToldDesign; readonly entity: string; readonly others: string }) {
  const { find = '', list: chosen } = useSearch({ strict: false }) as Readonly<Record<string, string | undefined>>
  const navigate = useNavigate()
  const { data: session } = useQuery(sessionQuery)
  const [typed, setTyped] = useState(find)
  // Back brings the text of the former address.
  useEffect(() => setTyped(find), [find])
  const plural = pluralOf(entity)
  const lists = wholeLists(design, entity).filter(({ pattern }) => isOpenTo(session?.tenant, design, pattern))
  const list = lists.find(({ pattern }) => pattern === chosen) ?? lists[0]
  const go = (search: Readonly<Record<string, string>>) => navigate({ to: '.', search })
  const flow = useFounding(design, entity)
  const founding = design.people?.places[0]?.entity === entity ? flow : undefined
  const own = ownKey(design, entity) ?? ''
  const isTenant = session?.tenant !== undefined && design.people?.places[0]?.entity === entity
  // Somebody who administers one tenant has no list of tenants.
  if (isTenant && session.person !== undefined)
    return (
      <Navigate
        to="/$design/tenants/$entity/$tab"
        params={{ design: design.form.design, entity, tab: 'people' }}
        search={{ [own]: session.tenant }}
        replace
      />
    )
  return (
    <Stack maw={1120} gap="md">
      <Group justify="space-between">
        <Title order={1} size="h2">
          {capital(plural)}
        </Title>
        {founding === undefined ? (
          <Making design={design} entity={entity} />
        ) : (
          <Button renderRoot={(props: object) => <Link {...props} to="/$design/tenants/new" params={{ design: design.form.design }} />}>
            New {words(entity).toLowerCase()}
          </Button>
        )}
      </Group>
      {isTenant ? (
        <Paper withBorder p="md">
          <Text size="sm" c="dimmed">
            Your key is of one {words(entity).toLowerCase()}:
          </Text>
          <Named design={design} lead={{ attribute: '', to: entity, id: { [own]: session.tenant } }} />
        </Paper>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            go(typed.trim() === '' ? {} : { find: typed.trim() })
          }}
        >
          <Group align="flex-end" gap="xs">
            <TextInput
              label={`Find one by ${lookedUpBy(design, entity)}`}
              value={typed}
              autoComplete="off"
              w={{ base: '100%', xs: 380 }}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
            <Button type="submit">Find</Button>
            {find !== '' && (
              <Button variant="subtle" onClick={() => go({})}>
                Clear
              </Button>
            )}
          </Group>
        </form>
      )}
      {find !== '' ? (
        <Found key={find} {...{ design, entity, typed: find }} />
      ) : list === undefined ? (
        !isTenant && <Nothing title={`This design has no list of all ${plural}`}>{others}</Nothing>
      ) : (
        <>
          {lists.length > 1 && (
            <SegmentedControl
              aria-label="The list"
              style={{ alignSelf: 'flex-start', maxWidth: '100%', flexWrap: 'wrap' }}
              data={lists.map(({ pattern }) => ({ value: pattern, label: words(pattern) }))}
              value={list.pattern}
              onChange={(next) => go({ list: next })}
            />
          )}
          <ItemList key={list.pattern} {...{ design, list }} empty={<Nothing title={`There are no ${plural} yet`} />} />
        </>
      )}
    </Stack>
  )
}

/** What a screen of people needs: a design that tells of them. */
export function OfPeople({
  children,
}: {
  readonly children: (design: ToldDesign, people: NonNullable<ToldDesign['people']>) => React.ReactNode
}) {
  const { design: name } = useParams({ from: '/$design' })
  const told = useQuery(designQuery(name))
  if (told.isPending) return <Waiting of="the design" />
  if (told.isError) return <Failed error={told.error} again={told.refetch} />
  if (told.data.people === undefined)
    return (
      <Nothing isScreen title="This design tells of no people">
        It has items and access patterns, and no access is declared for it.
      </Nothing>
    )
  return <>{children(told.data, told.data.people)}</>
}

/** The outermost places: tenants, as the design calls them. */
export const TenantsScreen = () => (
  <OfPeople>
    {(design, { places }) => (
      <Finder
        key={design.form.design}
        design={design}
        entity={places[0]?.entity ?? ''}
        others="Give the id of one, or open it from a person."
      />
    )}
  </OfPeople>
)

/** People, as the design calls them. */
export const PeopleScreen = () => (
  <OfPeople>
    {(design, { person, places }) => (
      <Finder
        key={design.form.design}
        design={design}
        entity={person}
        others={`Find one above, or open a ${words(places[0]?.entity ?? 'place').toLowerCase()}: it lists its own.`}
      />
    )}
  </OfPeople>
)
