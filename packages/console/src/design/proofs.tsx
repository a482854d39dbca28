import { Alert, Badge, Code, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { proofQuery } from '../app/service.ts'
import { Failed, Waiting } from '../app/states.tsx'

const colors = { hot: 'red.9', bounded: 'yellow', spread: 'teal' } as const

/** What is proven of the design, and which partitions may become hot: the hottest first. */
export function Proofs({ design }: { readonly design: string }) {
  const read = useQuery(proofQuery(design))
  if (read.isPending) return <Waiting of="the proofs" />
  if (read.isError) return <Failed error={read.error} again={read.refetch} />
  const { isProven, findings, patterns, partitions } = read.data
  return (
    <Stack>
      <Alert color={isProven ? 'teal' : 'red'} title={isProven ? 'Proven' : 'Not proven'} role="status">
        {isProven
          ? `Each of the ${patterns.length} access patterns is one request that returns only the entities it names. No two keys collide, a removal leaves nothing behind, and the limits of DynamoDB hold.`
          : 'The design does not work as it is declared.'}
      </Alert>
      {findings.map(({ code, severity, message }) => (
        <Alert key={code + message} color={severity === 'error' ? 'red' : 'yellow'} title={code}>
          <Text size="sm" className="whole">
            {message}
          </Text>
        </Alert>
      ))}
      <Title order={2} size="h4">
        Heat
      </Title>
      {partitions.map(({ partition, index, entities, heat, reason, watch }) => (
        <Paper key={`${index} ${partition}`} withBorder p="sm">
          <Group gap="xs">
            <Badge variant="dot" color={colors[heat]}>
              {heat}
            </Badge>
            <Code className="whole">{partition}</Code>
            {index !== undefined && <Badge variant="default">{index}</Badge>}
            <Text size="sm" c="dimmed" className="whole">
              {entities.join(', ')}
            </Text>
          </Group>
          <Text size="sm" mt={6}>
            {reason} {watch}
          </Text>
        </Paper>
      ))}
    </Stack>
  )
}
