import { Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { designQuery, sessionQuery } from '../app/service.ts'
import { Failed, Nothing, useWhom, Waiting } from '../app/states.tsx'
import { capital, words } from '../app/told.ts'
import { FlowForm } from './flow-form.tsx'
import { flowsQuery } from './told-flows.ts'

/** One flow as a page. The address may have its inputs, so that a form half filled in can be sent as a link; what is typed into it stays out. */
export function FlowScreen() {
  const { design: name, flow: called } = useParams({ from: '/$design/flow/$flow' })
  const given = useSearch({ from: '/$design/flow/$flow' })
  const told = useQuery(designQuery(name))
  const { data: session } = useQuery(sessionQuery)
  const whom = useWhom()
  const flows = useQuery(flowsQuery(name, session))
  const failed = told.error ?? flows.error
  if (failed !== null) return <Failed error={failed} again={() => Promise.all([told.refetch(), flows.refetch()])} />
  if (told.data === undefined || flows.data === undefined) return <Waiting of="the flow" />
  const flow = flows.data.find((each) => each.name === called)
  if (flow === undefined)
    return (
      <Nothing isScreen title={`There is no such flow for ${whom}`}>
        The design has none of this name, or {whom} may not run it.
      </Nothing>
    )
  return (
    <Stack maw={1120}>
      <div>
        <Text c="dimmed" size="sm">
          {flow.effect === 'read' ? 'Reads' : 'Writes'}
        </Text>
        <Title order={1} size="h2">
          {capital(words(flow.name))}
        </Title>
      </div>
      <Paper withBorder p="md">
        <FlowForm key={`${name} ${called} ${JSON.stringify(given)}`} design={told.data} flow={flow} given={given} />
      </Paper>
    </Stack>
  )
}
