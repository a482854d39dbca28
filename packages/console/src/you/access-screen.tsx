import { Alert, Code, Group, Paper, Stack, Table, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ScrollTable } from '../app/scroll-table.tsx'
import { asked, designClient, designQuery, itemQuery, type Person, sessionQuery } from '../app/service.ts'
import { Failed, NotForYou, Nothing, Waiting } from '../app/states.tsx'
import { ownKey, type ToldDesign, textOf, type Values, words } from '../app/told.ts'
import { Id } from '../app/value.tsx'
import { HeldBy } from '../people/held.tsx'

/** A snapshot of access. Each design has grants of its own form. */
interface Snapshot {
  readonly grants: readonly Values[]
  readonly places?: readonly Values[]
}

/** What a grant allows: actions, permissions by their parts, or the flags of a thing. */
function allowsOf({ actions, permissions, place: _place, scopes: _scopes, ...others }: Values): readonly string[] {
  if (Array.isArray(actions)) return actions.map(textOf)
  if (Array.isArray(permissions)) return permissions.map((each) => Object.values(Object(each)).map(textOf).join(':'))
  const all = Object.entries(others)
  const things = all.flatMap(([, value]) => (typeof value === 'string' ? [value] : []))
  return [`${things.join(' ')}: ${all.flatMap(([name, value]) => (value === true ? [words(name)] : [])).join(', ')}`]
}

/** Where it does: the innermost place of each path, with the kind of place if it is told. */
function placesOf({ place, scopes }: Values, { places = [] }: Snapshot): readonly (readonly [kind: string, id: string])[] {
  if (typeof place === 'string') return [['', place]]
  const paths: readonly unknown[] = Array.isArray(scopes) ? scopes : places
  return paths.flatMap((path) => Object.entries(Object(path)).slice(-1)).map(([kind, id]) => [words(kind), textOf(id)])
}

/** What somebody holds who may read nothing: a question about oneself is for everybody. */
function HeldByYou({ design, user }: { readonly design: ToldDesign; readonly user: string }) {
  const taken = useQuery({
    ...asked,
    queryKey: ['access', design.form.design, user],
    // The client has checked its form.
    queryFn: async ({ signal }) => (await designClient(design.form.design).access({ user }, { signal })) as unknown as Snapshot,
    enabled: design.questions.access !== undefined,
  })
  if (design.questions.access === undefined) return <Nothing title="The design has no list of what a person holds" />
  if (taken.isPending) return <Waiting of="what you hold" />
  if (taken.isError) return <Failed error={taken.error} again={taken.refetch} />
  const { grants } = taken.data
  if (grants.length === 0) return <Nothing title="You hold nothing now" />
  return (
    <Paper withBorder>
      <ScrollTable caption="What you hold" minWidth={320}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>You may</Table.Th>
            <Table.Th>At</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {grants.map((grant) => (
            <Table.Tr key={JSON.stringify(grant)}>
              <Table.Td>
                <Group gap={4}>
                  {allowsOf(grant).map((each) => (
                    <Code key={each} className="whole">
                      {each}
                    </Code>
                  ))}
                </Group>
              </Table.Td>
              <Table.Td>
                {placesOf(grant, taken.data).map(([kind, id]) => (
                  <Text key={id} size="sm">
                    {kind} <Id id={id} />
                  </Text>
                ))}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </ScrollTable>
    </Paper>
  )
}

/** The same with names, since and until, for somebody who may read its tenant. */
function HeldByReader({ design, user }: { readonly design: ToldDesign; readonly user: string }) {
  const entity = design.people?.person ?? ''
  const read = useQuery(itemQuery(design.form.design, entity, { [ownKey(design, entity) ?? '']: user }))
  if (read.isPending) return <Waiting of="what you hold" />
  if (read.isError) return <Failed error={read.error} again={read.refetch} />
  return read.data === null ? <HeldByYou {...{ design, user }} /> : <HeldBy design={design} person={read.data} />
}

function OfPerson({ person, mayRead }: { readonly person: Person; readonly mayRead: boolean }) {
  const { design: name, user, ask = [] } = person
  const told = useQuery(designQuery(name))
  if (told.isPending) return <Waiting of="the design" />
  if (told.isError) return <Failed error={told.error} again={told.refetch} />
  const design = told.data
  return (
    <Stack maw={1120}>
      <div>
        <Title order={1} size="h2">
          Your access
        </Title>
        <Text size="sm" c="dimmed">
          What you hold now.
        </Text>
      </div>
      {mayRead && design.people !== undefined ? <HeldByReader {...{ design, user }} /> : <HeldByYou {...{ design, user }} />}
      {!person.administers && (
        <Alert color="blue" title={`To get more access, ask ${ask.length > 0 ? 'one of these' : 'the operator'}`} role="note">
          {ask.map((each) => (
            <Text key={each} size="sm">
              <bdi className="whole">{each}</bdi>
            </Text>
          ))}
        </Alert>
      )}
    </Stack>
  )
}

/** What the person who is signed in holds. The first screen of one who administers nothing, which says whom to ask. */
export function AccessScreen() {
  const { data: session } = useQuery(sessionQuery)
  if (session?.person === undefined) return <NotForYou />
  return <OfPerson person={session.person} mayRead={session.may.includes('read')} />
}
