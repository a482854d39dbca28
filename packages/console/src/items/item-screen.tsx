import { Accordion, Group, Paper, Stack, Table, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { designQuery, itemQuery, sessionQuery } from '../app/service.ts'
import { Failed, Nothing, Waiting } from '../app/states.tsx'
import { labelOf, words } from '../app/told.ts'
import { ItemLink, Value } from '../app/value.tsx'
import { FlowMenu } from '../flows/flow-menu.tsx'
import { flowsOn, flowsQuery } from '../flows/told-flows.ts'
import { leadsOf } from '../people/lists.ts'
import { PatternAnswer } from './pattern-answer.tsx'
import { queriesFrom } from './queries-from.ts'

/** One item: its attributes, what it refers to, and the lists that begin at it. */
export function ItemScreen() {
  const { design: name, entity } = useParams({ from: '/$design/item/$entity' })
  const id = useSearch({ from: '/$design/item/$entity' })
  const told = useQuery(designQuery(name))
  const { data: session } = useQuery(sessionQuery)
  const { data: flows = [] } = useQuery(flowsQuery(name, session))
  const item = useQuery({
    ...itemQuery(name, entity, id),
    enabled: told.data !== undefined && Object.hasOwn(told.data.form.entities, entity),
  })
  if (told.isPending) return <Waiting of="the design" />
  if (told.isError) return <Failed error={told.error} again={told.refetch} />
  if (!Object.hasOwn(told.data.form.entities, entity))
    return (
      <Nothing isScreen title="There is no such entity">
        The design {name} has none of this name.
      </Nothing>
    )
  if (item.isPending) return <Waiting of={words(entity)} />
  if (item.isError) return <Failed error={item.error} again={item.refetch} />
  if (item.data === null)
    return (
      <Nothing isScreen title={`There is no such ${words(entity).toLowerCase()}`}>
        It may have been removed since this page was linked.
      </Nothing>
    )
  const values = item.data
  const leads = new Map(leadsOf(told.data, entity, values).map((lead) => [lead.attribute, lead]))
  const { Type: _type, version, ...own } = values
  // People look for a name first, and for the version last.
  const shown = Object.entries({ ...own, version })
  const queries = queriesFrom(told.data, entity, values)
  const offered = flowsOn(told.data, flows, entity, values)
  return (
    <Stack maw={1120}>
      <Group justify="space-between" align="flex-end">
        <div>
          <Text c="dimmed" size="sm">
            {words(entity)}
          </Text>
          <Title order={1} size="h2">
            <bdi className="whole">{labelOf(values) ?? words(entity)}</bdi>
          </Title>
        </div>
        <FlowMenu design={told.data} offered={offered} />
      </Group>
      <Paper withBorder p="xs">
        <Table verticalSpacing={6} aria-label={`Attributes of this ${words(entity)}`}>
          <Table.Tbody>
            {shown.map(([attribute, value]) => {
              const lead = leads.get(attribute)
              return (
                <Table.Tr key={attribute}>
                  <Table.Th scope="row" w="30%">
                    {words(attribute)}
                  </Table.Th>
                  <Table.Td>
                    <Value value={value} />{' '}
                    {lead !== undefined && !Array.isArray(value) && (
                      <ItemLink design={name} entity={lead.to} id={lead.id}>
                        {words(lead.to)}
                      </ItemLink>
                    )}
                  </Table.Td>
                </Table.Tr>
              )
            })}
          </Table.Tbody>
        </Table>
      </Paper>
      {queries.length > 0 && (
        <Accordion variant="separated" multiple keepMounted={false}>
          {queries.map(([pattern, parameters]) => (
            <Accordion.Item key={pattern} value={pattern}>
              <Accordion.Control>{words(pattern)}</Accordion.Control>
              <Accordion.Panel>
                <PatternAnswer design={told.data} name={pattern} parameters={parameters} />
              </Accordion.Panel>
            </Accordion.Item>
          ))}
        </Accordion>
      )}
    </Stack>
  )
}
