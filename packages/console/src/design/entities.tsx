import { Badge, Code, Group, Paper, Stack, Table, Text, Title } from '@mantine/core'
import { ScrollTable } from '../app/scroll-table.tsx'
import { Nothing } from '../app/states.tsx'
import type { ToldDesign, ToldEntity } from '../app/told.ts'

/** Also their order: what a design is about comes first. */
const kinds = { entity: 'entity', edge: 'edge', guard: 'uniqueness guard', mirror: 'lookup item' } as const

function Keys({ told }: { readonly told: ToldEntity }) {
  const keys = [['table', told.key] as const, ...Object.entries(told.indexes ?? {})]
  return (
    <Stack gap={2}>
      {keys.map(([name, [partition, sort]]) => (
        <Text key={name} size="sm">
          <Text span c="dimmed" size="xs">
            {name}{' '}
          </Text>
          <Code className="whole">{partition}</Code> <Code className="whole">{sort}</Code>
        </Text>
      ))}
    </Stack>
  )
}

/** Each entity with its keys, its attributes, and what these refer to. */
export function Entities({ design: { form }, find }: { readonly design: ToldDesign; readonly find: string }) {
  const shown = Object.entries(form.entities).filter(([name]) => name.toLowerCase().includes(find.toLowerCase()))
  const order = Object.keys(kinds)
  shown.sort(([, one], [, other]) => order.indexOf(one.kind) - order.indexOf(other.kind))
  if (shown.length === 0) return <Nothing title="No entity has this in its name">Clear the filter to see all.</Nothing>
  return (
    <Stack>
      {shown.map(([name, told]) => {
        const leads = new Map([...(told.references ?? []), ...(told.ends ?? [])].map(({ attribute, to }) => [attribute, to]))
        const attributes = Object.entries(told.attributes ?? {})
        return (
          <Paper key={name} withBorder p="md">
            <Group gap="xs" mb="xs">
              <Title order={2} size="h4">
                {name}
              </Title>
              <Badge variant="default">{kinds[told.kind]}</Badge>
              {told.owner !== undefined && (
                <Text size="sm" c="dimmed">
                  of {told.owner}
                </Text>
              )}
            </Group>
            <Keys told={told} />
            {attributes.length > 0 && (
              <ScrollTable caption={`Attributes of ${name}`} minWidth={360} mt="sm" verticalSpacing={4}>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>attribute</Table.Th>
                    <Table.Th>kind</Table.Th>
                    <Table.Th>given</Table.Th>
                    <Table.Th>refers to</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {attributes.map(([attribute, { kind, presence = 'required', made, secret }]) => (
                    <Table.Tr key={attribute}>
                      <Table.Td>{attribute}</Table.Td>
                      <Table.Td>
                        {kind}
                        {secret === true && ', secret'}
                      </Table.Td>
                      <Table.Td>{(made ?? presence).replaceAll('`', '')}</Table.Td>
                      <Table.Td>{leads.get(attribute) ?? ''}</Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </ScrollTable>
            )}
            {told.carries !== undefined && (
              <Text size="sm" mt="xs">
                It carries {told.carries.join(', ')}.
              </Text>
            )}
          </Paper>
        )
      })}
    </Stack>
  )
}
